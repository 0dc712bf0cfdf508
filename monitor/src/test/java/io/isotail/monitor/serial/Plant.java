package io.isotail.monitor.serial;

import io.isotail.incremental.level.IsolationLevel;

/** An anomaly that is put into a run, on rows of its own whose versions are declared. */
enum Plant {
  /** A record is edited: a session reads what was overwritten before its transaction began. */
  STALE_READ(IsolationLevel.STRICT_SERIALIZABLE, false),
  /** A record is edited: the second of two updates had read what the first one overwrote. */
  EDITED_LOST_UPDATE(IsolationLevel.SNAPSHOT_ISOLATION, true),
  /** A record is edited: of two rows that were written together, one is read as it was before. */
  FRACTURED_READ(IsolationLevel.READ_ATOMIC, true),
  /** Two transactions at read committed, side by side, overwrite what both have read. */
  LOST_UPDATE(IsolationLevel.SNAPSHOT_ISOLATION, false),
  /** Two transactions at repeatable read, side by side, each write what the other one has read. */
  WRITE_SKEW(IsolationLevel.SERIALIZABLE, false);

  private final IsolationLevel violates;
  private final boolean atItsLevel;

  Plant(IsolationLevel violates, boolean atItsLevel) {
    this.violates = violates;
    this.atItsLevel = atItsLevel;
  }

  /** The weakest level that it violates. */
  IsolationLevel violates() {
    return violates;
  }

  /**
   * Whether it breaks what its transactions ran at, not only a promise of strict serializability.
   */
  boolean atItsLevel() {
    return atItsLevel;
  }
}
