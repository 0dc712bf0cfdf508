package io.isotail.incremental.anomaly;

/**
 * The anomalies that are told apart: the 14 of [1] Table I, others that engineers have a name for,
 * and one for cycles of any other shape. The name of a cycle is computed from it; the module's
 * README has the table.
 *
 * <p>The order of the constants is part of the ids of bad reads: new ones come last.
 *
 * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions.
 */
public enum AnomalyKind {
  THIN_AIR_READ("thin-air-read"),
  ABORTED_READ("aborted-read"),
  FUTURE_READ("future-read"),
  NOT_MY_LAST_WRITE("not-my-last-write"),
  NOT_MY_OWN_WRITE("not-my-own-write"),
  INTERMEDIATE_READ("intermediate-read"),
  NON_REPEATABLE_READS("non-repeatable-reads"),
  SESSION_GUARANTEE_VIOLATION("session-guarantee-violation"),
  NON_MONOTONIC_READ("non-monotonic-read"),
  FRACTURED_READ("fractured-read"),
  CAUSALITY_VIOLATION("causality-violation"),
  LONG_FORK("long-fork"),
  LOST_UPDATE("lost-update"),
  WRITE_SKEW("write-skew"),
  CAUSALITY_CYCLE("causality-cycle"),
  COMMIT_ORDER_CYCLE("commit-order-cycle"),
  STALE_READ("stale-read"),
  READ_SKEW("read-skew"),
  BLIND_LOST_UPDATE("blind-lost-update"),
  DIRTY_WRITE("dirty-write"),
  DANGEROUS_STRUCTURE("dangerous-structure"),
  READ_ONLY_ANOMALY("read-only-anomaly");

  private final String label;

  AnomalyKind(String label) {
    this.label = label;
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
