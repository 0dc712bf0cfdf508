package io.isotail.incremental.explore;

/** What ends an exploration before every history was seen, so that it proves nothing that holds. */
public enum Limit {
  /** The caller said that it may not go on. */
  TIME("time", "its time was over"),
  /** As many histories were seen as the caller allows. */
  HISTORIES("histories", "it saw as many histories as it may"),
  /** As many values and names of variables were held as {@link MemoryBounds} allow. */
  VALUES("values", "it held as many different values as it may"),
  /** Whether one history satisfies a level was not found out ({@link CommitSearch}). */
  COMMIT_ORDERS(
      "commit-orders", "for one history the search for an order of the commits took too long"),
  /** The machine gave no more memory. */
  MEMORY("memory", "it was out of memory");

  private final String label;
  private final String reason;

  Limit(String label, String reason) {
    this.label = label;
    this.reason = reason;
  }

  /** Its name, for programs. */
  public String label() {
    return label;
  }

  /** Why the exploration ended, for people: a sentence without its end. */
  public String reason() {
    return reason;
  }
}
