package io.isotail.incremental.level;

/** What the checker says of a history at one level. */
public enum Verdict {
  /** Every transaction was promised the level, every constraint of it was checked, and holds. */
  PASS("pass"),
  /** The level is violated; an anomaly with its evidence says how. */
  FAIL("fail"),
  /** No violation was found, but something could not be checked. */
  UNDECIDED("undecided"),
  /**
   * No violation was found, but some transactions were not promised the level, or there are none.
   */
  NOT_CHECKED("not-checked");

  private final String label;

  Verdict(String label) {
    this.label = label;
  }

  /** The verdict's name in every interface. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
