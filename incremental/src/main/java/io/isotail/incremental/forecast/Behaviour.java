package io.isotail.incremental.forecast;

import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * How a transaction's statements see rows, and what they wait for: what databases do at a level.
 */
enum Behaviour {
  /** Each statement sees what had been committed when it began. */
  STATEMENT_SNAPSHOTS,
  /**
   * Queries see what had been committed at the first statement; writes and locks see the latest.
   */
  SNAPSHOT_READS,
  /**
   * Everything sees what had been committed at the first statement, and a write or a lock fails on
   * a row that was changed since.
   */
  FIRST_UPDATER_WINS,
  /** As {@link #FIRST_UPDATER_WINS}; among such transactions no circle commits. */
  SERIALIZABLE_SNAPSHOTS,
  /** Queries lock what they read. */
  LOCKING_READS;

  private static final String SNAPSHOTS_SERIALIZABLE = "postgresql";

  /**
   * The behaviour at a level.
   *
   * @param ranAt the level as recorded, with the database before a colon
   * @param level the level that it stands for; null if that is not known, which counts as the
   *     weakest
   */
  static Behaviour of(@Nullable String ranAt, @Nullable IsolationLevel level) {
    if (level == null || level.compareTo(IsolationLevel.READ_COMMITTED) <= 0) {
      return STATEMENT_SNAPSHOTS;
    }
    if (level.compareTo(IsolationLevel.SNAPSHOT_ISOLATION) < 0) {
      return SNAPSHOT_READS;
    }
    if (level == IsolationLevel.SNAPSHOT_ISOLATION) {
      return FIRST_UPDATER_WINS;
    }
    boolean locks =
        ranAt != null && ranAt.contains(":") && !ranAt.startsWith(SNAPSHOTS_SERIALIZABLE);
    return locks ? LOCKING_READS : SERIALIZABLE_SNAPSHOTS;
  }

  /** Whether all statements see one moment. */
  boolean hasSnapshot() {
    return this == SNAPSHOT_READS || failsOnChange();
  }

  /** Whether a write fails on a row that was changed since the snapshot. */
  boolean failsOnChange() {
    return this == FIRST_UPDATER_WINS || this == SERIALIZABLE_SNAPSHOTS;
  }
}
