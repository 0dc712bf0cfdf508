package io.isotail.incremental.events;

/** What can no longer be found once a transaction has left a graph. */
public enum Loss {
  /** Nothing: no cycle leads through it. */
  NONE,
  /** Cycles that use real time. */
  REAL_TIME,
  /** Cycles of any kind. */
  ANY;

  /** Both together. */
  Loss and(Loss other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
