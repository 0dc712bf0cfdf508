package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows a key's versions back from one that overwrote another, by what each writer itself had
 * read before it wrote.
 */
public final class Overwriting {
  /** A longer chain of versions is not followed. */
  private static final int MOST_VERSIONS = 4_096;

  private Overwriting() {}

  /**
   * Whether each writer, from the one that a rw dependency leads to back to the version that was
   * read, has read what it overwrote, or inserted the row, and was promised the level.
   */
  public static boolean readBack(Dependency dependency, IsolationLevel level) {
    return !writersBack(dependency, level).isEmpty();
  }

  /**
   * These writers, the latest first.
   *
   * @return empty if one of them has not read what it overwrote, or is not known
   */
  public static List<Transaction> writersBack(Dependency dependency, IsolationLevel level) {
    Transaction source = dependency.source();
    List<Transaction> writers = new ArrayList<>(2);
    Transaction writer = dependency.later();
    while (writers.size() < MOST_VERSIONS && source != Transaction.FORGOTTEN) {
      writers.add(writer);
      Transaction before = readBy(writer, dependency.key());
      if (before == source) {
        boolean wasMissing = source != Transaction.INITIAL || isAbsence(dependency);
        return wasMissing || reads(writer, dependency.key()) ? writers : List.of();
      }
      if (before == null || before == Transaction.INITIAL || !before.promise.atLeast(level)) {
        return List.of();
      }
      writer = before;
    }
    return List.of();
  }

  /** Whether the initial version that was read is that there was no row. */
  private static boolean isAbsence(Dependency dependency) {
    Transaction reader = dependency.first();
    for (int read : reader.readOperations) {
      if (reader.operations.key(read) == dependency.key()
          && reader.operations.surelyInitial(read)) {
        return false;
      }
    }
    return true;
  }

  private static boolean reads(Transaction t, long key) {
    for (int read : t.readOperations) {
      if (t.operations.key(read) == key) {
        return true;
      }
    }
    return false;
  }

  /** The writer of what a transaction overwrote of a key; null where that is not known. */
  private static @Nullable Transaction readBy(Transaction t, long key) {
    for (int i = 0; i < t.readOperations.length; i++) {
      if (t.operations.key(t.readOperations[i]) == key
          && t.readsVersion(i)
          && !t.leavesOutReadsOf(key)) {
        return t.readWriters[i];
      }
    }
    boolean inserted = t.writes(key) && t.operations.inserts(key);
    return inserted ? Transaction.INITIAL : null;
  }
}
