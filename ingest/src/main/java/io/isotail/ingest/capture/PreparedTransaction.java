package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A transaction between PREPARE TRANSACTION and its outcome, which any connection may decide. It is
 * recorded once, when that is known or given up. Thread-safe.
 */
final class PreparedTransaction {
  private final RecordedSession session;
  private final TransactionCapture tx;
  private final int chunk;
  private @Nullable Operations operations;

  /**
   * A prepared transaction.
   *
   * @param session where it is recorded
   * @param chunk index of its last chunk
   * @param operations what was not handed over yet
   */
  PreparedTransaction(
      RecordedSession session, TransactionCapture tx, int chunk, Operations operations) {
    this.session = session;
    this.tx = tx;
    this.chunk = chunk;
    this.operations = operations;
  }

  /** Records it with its outcome; does nothing if it has been recorded. */
  void decided(Outcome outcome) {
    synchronized (session) {
      Operations last = operations;
      if (last != null) {
        operations = null;
        session.emit(tx, chunk, outcome, last);
      }
    }
  }

  /** Whether it is not decided: it is then not before what its connection does next. */
  boolean isOpen() {
    synchronized (session) {
      return operations != null;
    }
  }
}
