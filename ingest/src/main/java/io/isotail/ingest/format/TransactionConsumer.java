package io.isotail.ingest.format;

import io.isotail.incremental.record.TransactionRecord;

/** Receives the transactions of a history file, on the thread that reads it. */
@FunctionalInterface
public interface TransactionConsumer {

  /**
   * The next transaction; those of one session come in session order.
   *
   * @param line line of its last operation, or the next number that was not given yet where
   *     transactions of several sessions overlap: strictly increasing
   */
  void accept(long line, TransactionRecord transaction);
}
