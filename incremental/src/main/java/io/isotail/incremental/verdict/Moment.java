package io.isotail.incremental.verdict;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * A place in the stream.
 *
 * @param offset log offset, or line of the file, of a record; -1 before the first one
 * @param appendTimeMs when the log took the record, in ms; 0 in files and before the first one
 */
public record Moment(long offset, long appendTimeMs) {
  /** Before the first record. */
  public static final Moment START = new Moment(-1, 0);

  /** Saves it. */
  public void save(StateWriter out) {
    out.number(offset);
    out.number(appendTimeMs);
  }

  /** Takes back what {@link #save} saved. */
  public static Moment load(StateReader in) {
    return new Moment(in.number(), in.number());
  }
}
