package io.isotail.incremental.check;

import io.isotail.incremental.reads.UnseenEffects;
import io.isotail.incremental.window.Transaction;

/** Reads from what has left the window: they make no edges, so that cycles are not found. */
public final class TruncatedReads {
  private TruncatedReads() {}

  /** How many of them a transaction has. */
  public static int count(Transaction t, UnseenEffects unseen) {
    int count = 0;
    for (int i = 0; i < t.readWriters.length; i++) {
      Transaction writer = t.readWriters[i];
      boolean truncated =
          writer == Transaction.INITIAL
              ? unseen.truncatedWriter(t.operations.key(t.readOperations[i]))
              : writer != null && writer.state == Transaction.State.TRUNCATED;
      count += truncated ? 1 : 0;
    }
    return count;
  }
}
