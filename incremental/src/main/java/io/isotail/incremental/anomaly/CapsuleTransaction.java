package io.isotail.incremental.anomaly;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a capsule, cut to the operations that matter.
 *
 * @param name {@code session/transaction}, as in the cycle
 * @param session the session that ran it
 * @param position place of the transaction in the log, relative to the capsule's others; one that
 *     nobody captured stands before its first reader
 * @param transaction its number
 * @param outcome how it ended; committed where it must have, because its write was read
 * @param ranAt isolation level that it ran at, as recorded
 * @param offset log offset (file: line) of its last record
 * @param times when it began and ended
 * @param operations what is left of its operations, in program order
 * @param origin which code ran it, null when not told
 */
public record CapsuleTransaction(
    String name,
    SessionInfo session,
    long position,
    long transaction,
    Outcome outcome,
    @Nullable String ranAt,
    long offset,
    Times times,
    Operations operations,
    @Nullable Origin origin) {

  /** A transaction that does not tell which code ran it. */
  public CapsuleTransaction(
      String name,
      SessionInfo session,
      long position,
      long transaction,
      Outcome outcome,
      @Nullable String ranAt,
      long offset,
      Times times,
      Operations operations) {
    this(name, session, position, transaction, outcome, ranAt, offset, times, operations, null);
  }

  /** A whole transaction, whose only record it is. */
  public static CapsuleTransaction of(TransactionRecord t, long offset) {
    return new CapsuleTransaction(
        t.session().name() + "/" + t.transaction(),
        t.session(),
        t.sequence(),
        t.transaction(),
        t.outcome(),
        t.ranAt(),
        offset,
        Times.of(t, t.beginNs()),
        t.operations(),
        t.origin());
  }

  /** This transaction with {@code others} in place of its operations. */
  public CapsuleTransaction with(Operations others) {
    return new CapsuleTransaction(
        name, session, position, transaction, outcome, ranAt, offset, times, others, origin);
  }
}
