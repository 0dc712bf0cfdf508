package io.isotail.ingest.format;

/** What a writer does with what its format has no place for. */
public enum Fidelity {
  /**
   * Refuses it: reading the file gives the same transactions again, session by session, to the last
   * name.
   */
  EXACT,
  /**
   * Drops what no verdict depends on: names in clear, numbers of sessions and transactions,
   * isolation levels, times, statements, transactions without operations. What a verdict depends on
   * is refused all the same.
   */
  LOSSY
}
