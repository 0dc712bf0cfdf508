package io.isotail.incremental.anomaly;

import org.jspecify.annotations.Nullable;

/**
 * The anomalies that are told apart: the 14 of [1] Table I, and two for cycles that none of them
 * names. Beside each, the phenomenon of [2] that it is an instance of, where there is one.
 *
 * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions. [2]
 * Adya, Liskov, O'Neil, Generalized Isolation Level Definitions, 2000.
 */
public enum AnomalyKind {
  THIN_AIR_READ("thin-air-read", null),
  ABORTED_READ("aborted-read", "G1a"),
  FUTURE_READ("future-read", null),
  NOT_MY_LAST_WRITE("not-my-last-write", null),
  NOT_MY_OWN_WRITE("not-my-own-write", null),
  INTERMEDIATE_READ("intermediate-read", "G1b"),
  NON_REPEATABLE_READS("non-repeatable-reads", "G-single"),
  SESSION_GUARANTEE_VIOLATION("session-guarantee-violation", "G-single"),
  NON_MONOTONIC_READ("non-monotonic-read", "G-single"),
  FRACTURED_READ("fractured-read", "G-single"),
  CAUSALITY_VIOLATION("causality-violation", "G-single"),
  LONG_FORK("long-fork", "G2-item"),
  LOST_UPDATE("lost-update", "G-single"),
  WRITE_SKEW("write-skew", "G2-item"),
  CAUSALITY_CYCLE("causality-cycle", "G1c"),
  COMMIT_ORDER_CYCLE("commit-order-cycle", "G2-item");

  private final String label;
  private final @Nullable String adya;

  AnomalyKind(String label, @Nullable String adya) {
    this.label = label;
    this.adya = adya;
  }

  /** The anomaly's name in every interface. */
  public String label() {
    return label;
  }

  /** Adya's name for it, or null where it has none. */
  public @Nullable String adya() {
    return adya;
  }

  @Override
  public String toString() {
    return label;
  }
}
