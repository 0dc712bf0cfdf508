package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether all assertions hold: a row for each level, and a history in which one does not.
 *
 * @param levels from the weakest on
 * @param weakest whether the first one at which they hold is the last
 */
record TableQuestion(List<IsolationLevel> levels, boolean weakest) implements Question {
  @Override
  public int ask(Program program, Explorer explorer, AnswerOptions answer)
      throws InterruptedException, IOException {
    ExploreText text = answer.text(program);
    text.program();
    text.head();
    List<LevelRun.Result> results = new ArrayList<>();
    for (IsolationLevel level : levels) {
      LevelRun.Result result = explorer.all(program, level, history -> history.failure() != null);
      results.add(result);
      text.row(result);
      if (weakest && result.verdict().hold()) {
        break;
      }
    }
    text.memory(results, explorer.memory());
    text.weakest(results);
    // The strongest level at which it fails: at weaker ones worse things happen too.
    LevelRun.Result shown = null;
    for (LevelRun.Result result : results) {
      shown = result.verdict().fail() ? result : shown;
    }
    ExploredWitness witness = shown == null ? null : shown.verdict().witness();
    if (shown != null && witness != null) {
      text.found(shown.level(), witness);
      answer.save(witness.records());
    } else {
      answer.nothingToSave();
    }
    answer.object(ExploreJson.of(program, results, shown, explorer.memory()));
    List<AssertionVerdict> verdicts = results.stream().map(LevelRun.Result::verdict).toList();
    return weakest ? ExploreStatus.ofWeakest(verdicts) : ExploreStatus.ofAll(verdicts);
  }
}
