package io.isotail.ingest.capture;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Several counts that many threads add to all the time. Each thread adds to cells that it shares
 * with few others, so that none waits for a cache line that another has just written. Thread-safe.
 */
final class ThreadCounts {
  private static final int STRIPES = 16;

  /** So many cells are two cache lines, which processors fetch together. */
  private static final int CELLS_APART = 16;

  private final AtomicLongArray cells;
  private final int width;

  /** All counts are 0. */
  ThreadCounts(int counts) {
    this.width = (counts + CELLS_APART - 1) / CELLS_APART * CELLS_APART;
    this.cells = new AtomicLongArray(STRIPES * width);
  }

  void add(int count, long n) {
    int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
    cells.getAndAdd(stripe * width + count, n);
  }

  /** What all threads have added; what is added meanwhile may be missing. */
  long sum(int count) {
    long sum = 0;
    for (int i = count; i < cells.length(); i += width) {
      sum += cells.get(i);
    }
    return sum;
  }
}
