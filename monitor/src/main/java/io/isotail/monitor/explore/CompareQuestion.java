package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.SearchLimitException;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.offline.ExitCode;
import java.io.IOException;

/** Which histories the weaker one of two levels allows and the stronger one does not. */
record CompareQuestion(IsolationLevel weaker, IsolationLevel stronger) implements Question {
  @Override
  public int ask(Program program, Explorer explorer, AnswerOptions answer)
      throws InterruptedException, IOException {
    LevelRun.Result result;
    try {
      result = explorer.all(program, weaker, history -> !history.satisfies(stronger));
    } catch (SearchLimitException e) {
      answer.tell(program.name() + ": " + e.getMessage());
      answer.nothingToSave();
      return ExitCode.UNDECIDED;
    }
    SourceError error = result.error();
    if (error != null) {
      explorer.tellError(program, weaker, error);
      answer.nothingToSave();
      return ExitCode.BAD;
    }
    AssertionVerdict verdict = result.verdict();
    ExploreText text = answer.text(program);
    text.compared(verdict, stronger);
    ExploredWitness first = verdict.witness();
    if (first != null) {
      text.found(weaker, first, stronger);
      answer.save(first.records());
    } else {
      answer.nothingToSave();
    }
    return verdict.exhausted() || first != null ? ExitCode.PASSED : ExitCode.UNDECIDED;
  }
}
