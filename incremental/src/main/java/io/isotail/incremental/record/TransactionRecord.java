package io.isotail.incremental.record;

import org.jspecify.annotations.Nullable;

/**
 * A transaction, or one chunk of a long one.
 *
 * @param session the session that ran it
 * @param sequence number of this record in its session, from 0 and without holes; a hole is a loss
 * @param transaction number of the transaction in its session, strictly increasing; the same in
 *     each of its chunks
 * @param chunk index of this record among the chunks of its transaction, from 0
 * @param outcome {@link Outcome#OPEN} in every chunk but the last
 * @param ranAt isolation level that the transaction ran at, either a level's own name ({@code
 *     causal}) or database and level ({@code postgresql:repeatable-read}; {@code
 *     postgresql-standby:repeatable-read} on a physical standby); null when unknown
 * @param beginNs when the first statement was about to be sent, in ns of {@code clock}; {@link
 *     #NO_TIME} when unknown
 * @param endNs when the reply to commit had arrived, in ns of {@code clock}; {@link #NO_TIME} when
 *     unknown or never
 * @param clock id of the clock that stamped both times, null when there is none
 * @param operations operations in program order
 * @param origin which code ran it, null when not told
 */
public record TransactionRecord(
    SessionInfo session,
    long sequence,
    long transaction,
    int chunk,
    Outcome outcome,
    @Nullable String ranAt,
    long beginNs,
    long endNs,
    @Nullable String clock,
    Operations operations,
    @Nullable Origin origin)
    implements StreamRecord {

  /** Stands for a time that is not known. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** A record that does not tell which code ran the transaction. */
  @SuppressWarnings("TooManyParameters")
  public TransactionRecord(
      SessionInfo session,
      long sequence,
      long transaction,
      int chunk,
      Outcome outcome,
      @Nullable String ranAt,
      long beginNs,
      long endNs,
      @Nullable String clock,
      Operations operations) {
    this(
        session,
        sequence,
        transaction,
        chunk,
        outcome,
        ranAt,
        beginNs,
        endNs,
        clock,
        operations,
        null);
  }
}
