package io.isotail.incremental.anomaly;

/**
 * The anomalies that are told apart: the 14 of [1] Table I, others that engineers have a name for,
 * two of commits that the database's log tells otherwise than clients were told, and one for cycles
 * of any other shape. The name of a cycle is computed from it; the module's README has the table.
 *
 * <p>The code of a kind is part of the ids of bad reads: it never changes.
 *
 * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions.
 */
public enum AnomalyKind {
  THIN_AIR_READ(0, "thin-air-read"),
  ABORTED_READ(1, "aborted-read"),
  FUTURE_READ(2, "future-read"),
  NOT_MY_LAST_WRITE(3, "not-my-last-write"),
  NOT_MY_OWN_WRITE(4, "not-my-own-write"),
  INTERMEDIATE_READ(5, "intermediate-read"),
  NON_REPEATABLE_READS(6, "non-repeatable-reads"),
  SESSION_GUARANTEE_VIOLATION(7, "session-guarantee-violation"),
  NON_MONOTONIC_READ(8, "non-monotonic-read"),
  FRACTURED_READ(9, "fractured-read"),
  CAUSALITY_VIOLATION(10, "causality-violation"),
  LONG_FORK(11, "long-fork"),
  LOST_UPDATE(12, "lost-update"),
  WRITE_SKEW(13, "write-skew"),
  CAUSALITY_CYCLE(14, "causality-cycle"),
  COMMIT_ORDER_CYCLE(15, "commit-order-cycle"),
  STALE_READ(16, "stale-read"),
  READ_SKEW(17, "read-skew"),
  BLIND_LOST_UPDATE(18, "blind-lost-update"),
  DIRTY_WRITE(19, "dirty-write"),
  DANGEROUS_STRUCTURE(20, "dangerous-structure"),
  READ_ONLY_ANOMALY(21, "read-only-anomaly"),
  DUPLICATE_ELEMENT(22, "duplicate-element"),
  INTERNAL_READ(23, "internal-read"),
  INCOMPATIBLE_ORDER(24, "incompatible-order"),
  LOST_COMMIT(25, "lost-commit"),
  UNASKED_COMMIT(26, "unasked-commit");

  private final int code;
  private final String label;

  AnomalyKind(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** A number that stands for the kind in ids, and never changes. */
  public int code() {
    return code;
  }

  /** Whether it is about how a transaction ended, which no read shows. */
  public boolean isOfEnd() {
    return this == LOST_COMMIT || this == UNASKED_COMMIT;
  }

  /** The anomaly's name in every interface. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
