package io.isotail.ingest.format;

import io.isotail.incremental.record.TransactionRecord;

/** Receives the transactions of a history file, on the thread that reads it. */
@FunctionalInterface
public interface TransactionConsumer {

  /**
   * The next transaction; those of one session come in session order.
   *
   * @param line line of its last operation, or the next number that was not given yet where
   *     transactions of several sessions overlap; in binary formats the transaction's number in the
   *     order handed over, from 1: strictly increasing
   */
  void accept(long line, TransactionRecord transaction);

  /**
   * So many bytes of the file have been read, as it lies on the disk; told now and then. Not told
   * of a history whose transactions are not in the order of its bytes, or in several files.
   */
  default void readBytes(long bytes) {
    // Only who says how far it is wants to know.
  }

  /**
   * Forget everything handed over so far: it was read under an assumption that does not hold. The
   * history is now read again from its beginning. Comes at most once in a reading, and only from
   * plume and chronos files, where the value 0 is written to a key after it was read, from plume
   * files where the ids of a session's transactions do not grow, and from elle files of registers,
   * where a value is written twice.
   *
   * @throws UnsupportedOperationException unless overridden, for no consumer can forget by accident
   */
  default void restart() {
    throw new UnsupportedOperationException("a consumer that cannot start again");
  }
}
