package io.isotail.incremental.digraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/** Numbers the searches of one graph, so that a visited node needs no clearing. */
public final class SearchMarks {
  private long last;

  /** A mark that no node carries. */
  public long next() {
    return ++last;
  }

  /** Saves the last mark. */
  public void save(StateWriter out) {
    out.number(last);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    last = in.number();
  }
}
