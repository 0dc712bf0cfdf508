package io.isotail.incremental.forecast;

/** How sure a forecast is, the surest first. */
public enum Certainty {
  /** The transactions ran so on the database, and the checker saw the violation. */
  PROVED("proved on the database"),
  /** The levels and locks allow it, with the values that were seen. */
  POSSIBLE("possible at the level by its definition"),
  /** The levels and locks allow it if two transactions that used different rows use the same. */
  NEEDS_VALUES("needs values that were not seen");

  private final String label;

  Certainty(String label) {
    this.label = label;
  }

  /** In words. */
  public String label() {
    return label;
  }
}
