package io.isotail.incremental.order;

/** Numbers the searches of one graph, so that a visited transaction needs no clearing. */
public final class SearchMarks {
  private long last;

  /** A mark that no transaction carries. */
  public long next() {
    return ++last;
  }
}
