package io.isotail.incremental.level;

/** What the checker says of a history at one level. */
public enum Verdict {
  /** Every constraint of the level was checked and holds. */
  PASS("pass"),
  /** The level is violated; an anomaly with its evidence says how. */
  FAIL("fail"),
  /** No violation was found, but something could not be checked. */
  UNDECIDED("undecided");

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
