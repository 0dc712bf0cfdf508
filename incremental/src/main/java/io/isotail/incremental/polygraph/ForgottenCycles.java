package io.isotail.incremental.polygraph;

/** What can no longer be found once a transaction has left a graph. */
public enum ForgottenCycles {
  /** Nothing: no cycle leads through it. */
  NONE,
  /** Cycles that use real time. */
  REAL_TIME,
  /** Cycles of any kind. */
  ANY;

  /** Both together. */
  ForgottenCycles and(ForgottenCycles other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
