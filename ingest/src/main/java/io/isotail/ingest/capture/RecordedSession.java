package io.isotail.ingest.capture;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.emit.CaptureClock;

/**
 * A session as the stream knows it: its records in their order. Guarded by itself, because what
 * became of a prepared transaction may be learnt on another connection.
 */
final class RecordedSession {
  private final Capture capture;
  private final SessionInfo info;
  private long nextSequence;

  RecordedSession(Capture capture, SessionInfo info) {
    this.capture = capture;
    this.info = info;
  }

  SessionInfo info() {
    return info;
  }

  /** Whether it has no record yet. */
  synchronized boolean isEmpty() {
    return nextSequence == 0;
  }

  /** Hands over a record. */
  synchronized void emit(TransactionCapture tx, int chunk, Outcome outcome, Operations operations) {
    boolean ends = outcome == Outcome.COMMITTED || outcome == Outcome.ABORTED;
    capture
        .sink()
        .transaction(
            new TransactionRecord(
                info,
                nextSequence++,
                tx.number(),
                chunk,
                outcome,
                tx.ranAt(),
                tx.beginNs(),
                ends ? CaptureClock.PROCESS.nowNs() : TransactionRecord.NO_TIME,
                CaptureClock.PROCESS.id(),
                operations,
                tx.origin()));
    capture.stats().count(CaptureStats.Event.RECORDS);
    if (outcome != Outcome.OPEN) {
      capture.stats().count(outcome);
    }
    capture.stats().add(CaptureStats.Event.OPERATIONS, operations.size());
  }
}
