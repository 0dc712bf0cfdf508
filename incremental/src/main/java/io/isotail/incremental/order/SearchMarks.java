package io.isotail.incremental.order;

import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;

/** Numbers the searches of one graph, so that a visited transaction needs no clearing. */
public final class SearchMarks {
  private long last;

  /** A mark that no transaction carries. */
  public long next() {
    return ++last;
  }

  void save(StateWriter out) {
    out.number(last);
  }

  void load(StateReader in) {
    last = in.number();
  }
}
