package io.isotail.ingest.workload;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which row of the table is a register now: always the same, or, with fresh rows, another one after
 * some writes, so that transactions go on to meet rows that are missing. Thread-safe.
 */
final class RegisterRows {
  private static final int WRITES_OF_A_ROW = 4;

  private final int keys;
  private final long firstFresh;
  private final AtomicLongArray written;

  /**
   * Of so many registers.
   *
   * @param firstFresh number of the first row that is made if rows are fresh, else 0
   * @param fresh whether they are
   */
  RegisterRows(int keys, long firstFresh, boolean fresh) {
    this.keys = keys;
    this.firstFresh = firstFresh;
    this.written = new AtomicLongArray(fresh ? keys : 0);
  }

  /** The row of a register. */
  long row(int key) {
    return written.length() == 0
        ? key
        : firstFresh + key + keys * (written.get(key) / WRITES_OF_A_ROW);
  }

  /** A transaction that wrote a register has committed. */
  void committed(int key) {
    if (written.length() > 0) {
      written.incrementAndGet(key);
    }
  }
}
