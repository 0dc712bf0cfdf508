package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of one session's transactions, handed over in their order. A transaction without an
 * observed operation is not recorded. Guarded by the session's lock.
 */
final class TransactionRecords {
  private final Capture capture;
  private final SessionInfo info;
  private long nextTransaction;
  private long nextSequence;

  TransactionRecords(Capture capture, SessionInfo info) {
    this.capture = capture;
    this.info = info;
  }

  /** A transaction that begins. */
  TransactionCapture begin(long beginNs, @Nullable String level, boolean single) {
    return new TransactionCapture(
        nextTransaction++,
        beginNs,
        level,
        single,
        number -> capture.sink().writeStarted(info.id(), number));
  }

  /**
   * Hands over what a long transaction has collected. {@code reading} may get more rows of a query,
   * unless a later statement is handed over with it: those rows would come too late in the program
   * order. What replaces the cautious record of a write would come too late as well.
   */
  void handOverChunk(TransactionCapture tx, @Nullable StatementRun reading) {
    int limit = capture.config().chunkOperations();
    if (tx.operationCount() < limit) {
      return;
    }
    if (!tx.hasSavepoints()) {
      boolean keep = reading != null && tx.isLast(reading) && !reading.analysis().mayWrite();
      emit(tx, Outcome.OPEN, TransactionRecord.NO_TIME, keep ? reading : null);
    } else if (tx.operationCount() >= 4L * limit) {
      capture.stats().count(CaptureStats.Event.TOO_MANY_OPERATIONS);
      tx.poison();
    }
  }

  /** A transaction has ended. */
  void ended(TransactionCapture tx, Outcome outcome) {
    boolean nothing = tx.operationCount() == 0 && !tx.poisoned() && !tx.announced();
    if (nothing && tx.chunks() == 0) {
      tx.take(null);
      return;
    }
    boolean known = outcome != Outcome.UNKNOWN;
    emit(tx, outcome, known ? CaptureClock.PROCESS.nowNs() : TransactionRecord.NO_TIME, null);
  }

  private void emit(
      TransactionCapture tx, Outcome outcome, long endNs, @Nullable StatementRun keep) {
    long sequence = nextSequence++;
    int chunk = tx.chunks();
    Operations operations = tx.take(keep);
    capture
        .sink()
        .transaction(
            new TransactionRecord(
                info,
                sequence,
                tx.number(),
                chunk,
                outcome,
                tx.ranAt(),
                tx.beginNs(),
                endNs,
                CaptureClock.PROCESS.id(),
                operations));
    capture.stats().count(CaptureStats.Event.RECORDS);
    capture.stats().add(CaptureStats.Event.OPERATIONS, operations.size());
  }
}
