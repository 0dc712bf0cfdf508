package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.level.IsolationLevel;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Explores levels within limits, and says why one was not exhausted.
 *
 * @param located an error with its place in the text that the program was read from
 * @param note told that, for people
 */
record Explorer(
    LevelRun.Limits limits,
    Exploration.Method method,
    UnaryOperator<SourceError> located,
    Consumer<String> note) {

  /** Every history of a level. */
  LevelRun.Result all(Program program, IsolationLevel level, Predicate<ExploredHistory> wanted)
      throws InterruptedException {
    return run(program, level, limits, wanted);
  }

  /** The histories of a level up to the first that is looked for. */
  LevelRun.Result first(Program program, IsolationLevel level, Predicate<ExploredHistory> wanted)
      throws InterruptedException {
    return run(program, level, limits.upToTheFirst(), wanted);
  }

  /** What a level may hold in memory. */
  MemoryBounds memory() {
    return limits.memory();
  }

  private LevelRun.Result run(
      Program program,
      IsolationLevel level,
      LevelRun.Limits within,
      Predicate<ExploredHistory> wanted)
      throws InterruptedException {
    LevelRun.Result result = new LevelRun(program, level, method, within, wanted).run();
    Limit limit = result.verdict().limit();
    if (limit != null) {
      note.accept(
          "%s was not exhausted: %s; %s"
              .formatted(level, limit.reason(), LimitOptions.remedy(limit)));
    }
    SourceError error = result.error();
    return error == null ? result : result.withError(located.apply(error));
  }

  /** Says what ended a level, and where: other levels need not have it. */
  void tellError(Program program, IsolationLevel level, SourceError error) {
    note.accept(
        "%s: %s: in a history that %s allows"
            .formatted(
                program.name(),
                error.getMessage(),
                program.declaresEveryLevel() ? "the mix of levels" : level.label()));
  }
}
