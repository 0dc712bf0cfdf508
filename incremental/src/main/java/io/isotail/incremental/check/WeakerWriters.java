package io.isotail.incremental.check;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * Versions that were written by transactions which were promised less than a level.
 *
 * <p>Where levels are mixed, PostgreSQL keeps serializable transactions apart from each other only.
 * If one of them reads a row that a weaker transaction then overwrites, and a third, serializable
 * one overwrites it again, nobody has told the first and the third apart: the version between them
 * is of a stranger. A cycle that leads from the first to the third breaks no promise.
 */
final class WeakerWriters {
  /** A longer chain of versions is not followed. */
  private static final int MOST_VERSIONS = 4_096;

  private final Window window;

  WeakerWriters(Window window) {
    this.window = window;
  }

  /**
   * Whether a cycle leads from a reader to an overwriter, between which a weaker transaction may
   * have written.
   *
   * @param level of the conflict
   * @return false below {@code serializable}, where a reader comes before whatever overwrites what
   *     it read, however often, since it has a snapshot
   */
  boolean standBetween(Conflict conflict, IsolationLevel level) {
    return level.atLeast(IsolationLevel.SERIALIZABLE)
        && conflict.cycles().stream()
            .anyMatch(cycle -> cycle.stream().anyMatch(d -> standBetween(d, level)));
  }

  /** Goes back from the overwriter to the version that was read, by what each writer had read. */
  private boolean standBetween(Dependency dependency, IsolationLevel level) {
    if (dependency.kind() != EdgeKind.RW) {
      return false;
    }
    long key = dependency.key();
    Transaction writer = dependency.later();
    for (int i = 0; i < MOST_VERSIONS; i++) {
      Transaction before = readBy(writer, key);
      if (before == null) {
        return isWrittenByWeaker(key, level);
      }
      if (before == dependency.source() || before == Transaction.INITIAL) {
        return false;
      }
      if (!before.promise.atLeast(level)) {
        return true;
      }
      writer = before;
    }
    return true;
  }

  /**
   * The writer of what a transaction read of a key; null where it is not known, or read nothing.
   */
  private static @Nullable Transaction readBy(Transaction t, long key) {
    for (int i = 0; i < t.readOperations.length; i++) {
      if (t.operations.key(t.readOperations[i]) == key && t.readsVersion(i)) {
        return t.readWriters[i];
      }
    }
    return null;
  }

  private boolean isWrittenByWeaker(long key, IsolationLevel level) {
    for (Transaction t : window) {
      if (t.committed && !t.promise.atLeast(level) && t.writes(key)) {
        return true;
      }
    }
    return false;
  }
}
