package io.isotail.incremental.record;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a transaction began and ended, as its client's clock told.
 *
 * @param beginNs when the first statement was about to be sent, in ns of {@code clock}; {@link
 *     TransactionRecord#NO_TIME} when unknown
 * @param endNs when the reply to commit had arrived, in ns of {@code clock}; {@link
 *     TransactionRecord#NO_TIME} when unknown or never
 * @param clock id of the clock that stamped both, null when there is none
 */
public record Times(long beginNs, long endNs, @Nullable String clock) {
  /** Nothing is known. */
  public static final Times NONE =
      new Times(TransactionRecord.NO_TIME, TransactionRecord.NO_TIME, null);

  /**
   * The times of a transaction that began at {@code beginNs}; of unknown outcome, it never ends.
   */
  public static Times of(TransactionRecord last, long beginNs) {
    long endNs = last.outcome() == Outcome.UNKNOWN ? TransactionRecord.NO_TIME : last.endNs();
    boolean none =
        beginNs == TransactionRecord.NO_TIME
            && endNs == TransactionRecord.NO_TIME
            && last.clock() == null;
    return none ? NONE : new Times(beginNs, endNs, last.clock());
  }

  /** Whether the end is known. */
  public boolean hasEnd() {
    return endNs != TransactionRecord.NO_TIME;
  }

  /** Whether the beginning is known, and by which clock, and the end does not contradict it. */
  public boolean orderable() {
    return clock != null && beginNs != TransactionRecord.NO_TIME && (!hasEnd() || endNs >= beginNs);
  }

  /**
   * Whether this surely ended before something else began: by one clock, or by two that are
   * believed up to an uncertainty.
   *
   * @param uncertaintyNs how far the times of two clocks may be apart; {@link Long#MAX_VALUE} if
   *     they are never compared
   */
  public boolean endedBefore(Times later, long uncertaintyNs) {
    if (!orderable() || !hasEnd() || !later.orderable()) {
      return false;
    }
    if (Objects.equals(clock, later.clock)) {
      return endNs < later.beginNs;
    }
    return uncertaintyNs != Long.MAX_VALUE && endNs < less(later.beginNs, uncertaintyNs);
  }

  /** A time less an uncertainty, or the least there is. */
  public static long less(long timeNs, long uncertaintyNs) {
    long less = timeNs - uncertaintyNs;
    return less > timeNs ? Long.MIN_VALUE : less;
  }

  /** Those of something that ended when this began, as far as that is known. */
  public Times endingAtItsBegin() {
    return beginNs == TransactionRecord.NO_TIME
        ? NONE
        : new Times(TransactionRecord.NO_TIME, beginNs, clock);
  }

  /** These times, with an equal clock id that is in memory already. */
  public Times sharing(@Nullable String known) {
    return clock == null || !clock.equals(known) ? this : new Times(beginNs, endNs, known);
  }
}
