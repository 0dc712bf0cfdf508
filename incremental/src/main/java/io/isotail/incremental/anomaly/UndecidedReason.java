package io.isotail.incremental.anomaly;

/** Why something could not be decided; each is a counter. */
public enum UndecidedReason {
  /** The version's writer is not captured, or not known to the checker. */
  UNKNOWN_WRITER("unknown-writer"),
  /** Records were lost, so that the writer may have been among them. */
  LOST_RECORDS("lost-records"),
  /** The read's version was not visible to the proxy. */
  UNKNOWN_VERSION("unknown-version"),
  /** A statement that could not be interpreted may have written the key. */
  OPAQUE_WRITE("opaque-write"),
  /** The key was absent, and a delete could explain it, be it by somebody who is not captured. */
  ABSENCE("absence"),
  /** Several committed transactions wrote, or may have written, the same version of the key. */
  AMBIGUOUS_WRITER("ambiguous-writer"),
  /** Something that the decision needs had left the window: how far the checker sees, no doubt. */
  TRUNCATED("truncated"),
  /** The writer had not arrived within the horizon. */
  LATE_WRITER("late-writer"),
  /** Part of the transaction was lost. */
  LOST_CHUNK("lost-chunk"),
  /**
   * A violation was found, but its evidence could not be put together from what the window holds.
   */
  UNPROVEN("unproven"),
  /** A bound of the checker was reached. */
  CAPACITY("capacity"),
  /** The transaction's times are not known, which strict-serializable asks for. */
  NO_TIMES("no-times"),
  /** The search for an order of the versions reached its bound. */
  SEARCH_BUDGET("search-budget"),
  /**
   * A list read where several may have written a version: the order of the writers is not known.
   */
  LIST_ORDER("list-order"),
  /** A list was read that is longer than the checker looks at. */
  LIST_LENGTH("list-length"),
  /** A transaction came, or ended by its clock, so late that it was not ordered by time. */
  LATE_END("late-end"),
  /** The level that the transaction was promised was not checked for a time, to keep up. */
  SHED("shed"),
  /** The times of two clocks cannot be compared, so real time between them is not known. */
  CLOCKS_NOT_COMPARED("clocks-not-compared"),
  /**
   * A cycle led over a row that was overwritten unread, so that an outsider may have written
   * between: a transaction that was promised less, or one that nobody captured. The level says
   * nothing of it.
   */
  WEAKER_WRITER("weaker-writer"),
  /**
   * Of the versions of a table some name their writers and others do not: applications declare them
   * differently, so that a write has versions which its record does not show.
   */
  MIXED_VERSIONS("mixed-versions");

  private final String label;

  UndecidedReason(String label) {
    this.label = label;
  }

  /** The reason's name in every interface. */
  public String label() {
    return label;
  }
}
