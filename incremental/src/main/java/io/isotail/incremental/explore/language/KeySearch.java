package io.isotail.incremental.explore.language;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.NewKeyException;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;

/**
 * Finds keys of rows that a program makes, before it is explored for good: the first histories of
 * it, at the level that allows most, run each transaction, and so name nearly all. One that only
 * later ones name ends an exploration with a {@link NewKeyException}.
 */
final class KeySearch {
  private static final int MOST_HISTORIES = 500;

  private KeySearch() {}

  /** Makes the keys known. */
  static void in(Program program) {
    NewKeyException.untilKeysAreKnown(() -> firstHistories(program));
  }

  /** Explores the first histories, and tells how many there were. */
  private static long firstHistories(Program program) {
    Exploration exploration = Exploration.of(program, IsolationLevel.weakest());
    try {
      exploration.run(
          history -> exploration.histories() < MOST_HISTORIES,
          () -> exploration.endStates() < MOST_HISTORIES);
    } catch (SourceError e) {
      // It is told when the program is explored.
    }
    return exploration.histories();
  }
}
