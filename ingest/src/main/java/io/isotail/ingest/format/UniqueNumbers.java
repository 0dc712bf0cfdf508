package io.isotail.ingest.format;

import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2LongAVLTreeMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2LongSortedMap;

/**
 * Numbers of transactions that are unique in a file and grow within each session. Other checkers
 * (AWDIT, PolySI, Cobra) know a transaction by its number alone and take two of one number for one.
 *
 * <p>A transaction keeps its own number if nobody before it has that number and its session's last
 * one was lower; otherwise it loses its number and gets the one above the greatest so far. Numbers
 * that every session counts for itself become the order of the file in that way.
 *
 * <p>Numbers are unsigned; the greatest, -1, is that of aborted operations in plume, and no number.
 * Memory grows with the sessions and with the runs of numbers that are taken, up to a bound: beyond
 * it the numbers between the two lowest runs count as taken.
 */
final class UniqueNumbers {
  /** About 60 MB. Numbers that come in ascending order, or without holes, need one run or few. */
  private static final int MAX_RUNS = 1 << 20;

  private final FormatLimits limits;
  private final int maxRuns;
  private final Long2LongOpenHashMap lastOfSession = new Long2LongOpenHashMap();

  /** The runs of taken numbers below the highest run: the last one by the first one. */
  private final Long2LongAVLTreeMap lower = new Long2LongAVLTreeMap(Long::compareUnsigned);

  private boolean any;
  private long topFirst;
  private long topLast;

  UniqueNumbers(FormatLimits limits) {
    this(limits, MAX_RUNS);
  }

  /** With another bound on the runs below the highest, at least 1. */
  UniqueNumbers(FormatLimits limits, int maxRuns) {
    this.limits = limits;
    this.maxRuns = maxRuns;
  }

  /** The number that the transaction is written under. */
  long of(TransactionRecord transaction) {
    long session = transaction.session().id();
    long number = transaction.transaction();
    if (number == PlumeLine.ABORTED) {
      limits.drop(true, transaction, "a number that stands for none");
      number = next(transaction);
    } else if (lastOfSession.containsKey(session)
        && Long.compareUnsigned(number, lastOfSession.get(session)) <= 0) {
      limits.drop(true, transaction, "a number that is not above that of the one before it");
      number = next(transaction);
    } else if (isTaken(number)) {
      limits.drop(true, transaction, "a number that another transaction has in the file");
      number = next(transaction);
    }
    take(number);
    lastOfSession.put(session, number);
    return number;
  }

  /** Nobody gets the number from now on. */
  void take(long number) {
    if (!any) {
      any = true;
      topFirst = number;
      topLast = number;
    } else if (Long.compareUnsigned(number, topLast) > 0) {
      if (number != topLast + 1) {
        lower.put(topFirst, topLast);
        topFirst = number;
      }
      topLast = number;
    } else if (!isTaken(number)) {
      takeBelow(number);
    }
    if (lower.size() > maxRuns) {
      long first = lower.firstLongKey();
      lower.remove(first);
      lower.put(first, lower.remove(lower.firstLongKey()));
    }
  }

  private void takeBelow(long number) {
    long first = number;
    Long2LongSortedMap before = lower.headMap(number);
    if (!before.isEmpty() && before.get(before.lastLongKey()) == number - 1) {
      first = before.lastLongKey();
    }
    if (number + 1 == topFirst) {
      lower.remove(first);
      topFirst = first;
    } else if (lower.containsKey(number + 1)) {
      lower.put(first, lower.remove(number + 1));
    } else {
      lower.put(first, number);
    }
  }

  private boolean isTaken(long number) {
    if (!any || Long.compareUnsigned(number, topLast) > 0) {
      return false;
    }
    if (Long.compareUnsigned(number, topFirst) >= 0) {
      return true;
    }
    Long2LongSortedMap upTo = lower.headMap(number + 1);
    return !upTo.isEmpty() && Long.compareUnsigned(number, upTo.get(upTo.lastLongKey())) <= 0;
  }

  private long next(TransactionRecord transaction) {
    if (!any) {
      return 0;
    }
    if (topLast + 1 == PlumeLine.ABORTED) {
      throw limits.refused(transaction, "the greatest number before it");
    }
    return topLast + 1;
  }
}
