package io.isotail.ingest.emit;

import io.isotail.incremental.record.TransactionRecord;

/**
 * Where a proxy puts what it observed. Safe for use by many threads; no method blocks, throws, or
 * waits for the network, whatever the state of the stream behind it.
 */
public interface TransactionSink {

  /**
   * A transaction is about to send its first write to the database. Called before the statement is
   * sent, once for each transaction that writes.
   *
   * @param session id of its session
   * @param transaction its number in the session
   */
  void writeStarted(long session, long transaction);

  /**
   * A transaction has ended, or a chunk of it is complete. Called by each session in its own order.
   * An end clears what {@link #writeStarted} announced, and it does so even when the record itself
   * has to be dropped.
   */
  void transaction(TransactionRecord record);

  /**
   * What {@link #writeStarted} announced under this number is over, and has no record of its own.
   * What it stood for is announced under numbers of its own, or was handed over.
   */
  default void writeEnded(long session, long transaction) {}

  /** What counts the statements of which the transactions are made; a sink may tell the stream. */
  default void counts(CountsSource source) {}

  /** What was done so far with what was put here; nothing if that is not counted. */
  default EmitterStats stats() {
    return EmitterStats.NONE;
  }
}
