package io.isotail.incremental;

import io.isotail.incremental.window.Doubts;
import io.isotail.incremental.window.Txn;

/** Reads from what has left the window: they make no edges, so that cycles are not found. */
final class TruncatedReads {
  private TruncatedReads() {}

  /** How many of them a transaction has. */
  static int count(Txn t, Doubts doubts) {
    int count = 0;
    for (int i = 0; i < t.readWriters.length; i++) {
      Txn writer = t.readWriters[i];
      boolean truncated =
          writer == Txn.INITIAL
              ? doubts.truncatedWriter(t.operations.key(t.readOperations[i]))
              : writer != null && writer.state == Txn.State.TRUNCATED;
      count += truncated ? 1 : 0;
    }
    return count;
  }
}
