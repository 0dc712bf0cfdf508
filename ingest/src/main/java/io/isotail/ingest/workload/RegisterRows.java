package io.isotail.ingest.workload;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which row of the table is a register now: always the same, or, with fresh rows, another one after
 * some writes, so that transactions go on to meet rows that are missing. Neighbouring registers of
 * a group are replaced together, and stay neighbours. Thread-safe.
 */
final class RegisterRows {
  private final int keys;
  private final long firstFresh;
  private final int group;
  private final int writesOfAGroup;

  /** Of each group, how many of its writes were committed; empty where rows are not fresh. */
  private final AtomicLongArray written;

  /**
   * Of the registers of a workload.
   *
   * @param firstFresh number of the first row that is made if rows are fresh, else of no meaning
   */
  RegisterRows(WorkloadConfig config, long firstFresh) {
    this.keys = config.keys();
    this.firstFresh = firstFresh;
    this.group = config.transactions().kind().rowsOfAGroup();
    this.writesOfAGroup = config.transactions().kind().writesOfAGroup();
    this.written =
        new AtomicLongArray(config.transactions().freshRows() ? (keys + group - 1) / group : 0);
  }

  /** The row of a register. */
  long row(int key) {
    return written.length() == 0
        ? key
        : firstFresh + key + keys * (written.get(key / group) / writesOfAGroup);
  }

  /** A transaction that wrote a register has committed. */
  void committed(int key) {
    if (written.length() > 0) {
      written.incrementAndGet(key / group);
    }
  }
}
