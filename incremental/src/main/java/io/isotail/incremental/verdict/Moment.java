package io.isotail.incremental.verdict;

/**
 * A place in the stream.
 *
 * @param offset log offset, or line of the file, of a record; -1 before the first one
 * @param appendTimeMs when the log took the record, in ms; 0 in files and before the first one
 */
public record Moment(long offset, long appendTimeMs) {
  /** Before the first record. */
  public static final Moment START = new Moment(-1, 0);
}
