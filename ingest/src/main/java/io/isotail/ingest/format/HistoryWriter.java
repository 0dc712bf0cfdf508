package io.isotail.ingest.format;

import io.isotail.incremental.record.TransactionRecord;
import java.io.IOException;

/** Writes a history file, one transaction at a time, from one thread. */
public interface HistoryWriter extends AutoCloseable {

  /**
   * Writes a whole transaction, not a chunk; those of one session come in session order.
   *
   * @throws IllegalArgumentException if the format cannot hold the transaction, saying what it is
   *     that has no place there
   */
  void write(TransactionRecord transaction) throws IOException;

  /** Completes the file. */
  @Override
  void close() throws IOException;
}
