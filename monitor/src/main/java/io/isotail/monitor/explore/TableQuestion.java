package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.offline.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
      SourceError error = result.error();
      if (error != null) {
        explorer.tellError(program, level, error);
      }
      if ((weakest && result.verdict().hold()) || !text.isRead()) {
        break;
      }
    }
    text.memory(results, explorer.memory());
    text.weakest(results);
    // The strongest level at which it fails: at weaker ones worse things happen too.
    LevelRun.Result shown = null;
    for (LevelRun.Result result : results) {
      shown = result.verdict().witness() != null ? result : shown;
    }
    ExploredWitness witness = shown == null ? null : shown.verdict().witness();
    if (shown != null && witness != null) {
      text.found(shown.level(), witness, holding(results, shown.level()));
      answer.save(witness.records());
    } else {
      answer.nothingToSave();
    }
    answer.object(ExploreJson.of(program, results, shown, explorer.memory()));
    if (!weakest && results.stream().anyMatch(result -> result.error() != null)) {
      return ExitCode.BAD;
    }
    List<AssertionVerdict> verdicts = results.stream().map(LevelRun.Result::verdict).toList();
    if (!text.isRead() && verdicts.stream().noneMatch(AssertionVerdict::fail)) {
      return ExitCode.UNDECIDED;
    }
    return weakest ? ExploreStatus.ofWeakest(verdicts) : ExploreStatus.ofAll(verdicts);
  }

  /** The weakest level above one at which all assertions hold, as far as that was seen. */
  private static @Nullable IsolationLevel holding(
      List<LevelRun.Result> results, IsolationLevel failing) {
    return results.stream()
        .filter(result -> result.verdict().hold() && result.level().atLeast(failing))
        .map(LevelRun.Result::level)
        .findFirst()
        .orElse(null);
  }
}
