package io.isotail.incremental.certificate;

import io.isotail.incremental.record.Times;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * When the latest transactions of a clock began and ended: what one that is added must come after
 * and before, if time says so. Times that differ by no more than the uncertainty say nothing.
 *
 * <p>Bound: {@link #MOST} ends and as many begins are told apart; of earlier ones only the largest
 * numbers are known, so that the room told for a time before them is too small, never too large.
 */
final class ClockOrder {
  /** So many are told apart at least, and twice as many at most. */
  static final int MOST = 4_096;

  private final long uncertaintyNs;
  private final int most;

  /** By their ends, the numbers of their commits. */
  private final TimedNumbers ends = new TimedNumbers();

  /** By their begins, without numbers. */
  private final TimedNumbers begins = new TimedNumbers();

  /** When the last of those that are not told apart began; the least number if there are none. */
  private long earlierBegan = Long.MIN_VALUE;

  /** When the last of those ended. */
  private long earlierEnded = Long.MIN_VALUE;

  /** Those in the window. */
  private int inWindow;

  ClockOrder(long uncertaintyNs) {
    this(uncertaintyNs, MOST);
  }

  ClockOrder(long uncertaintyNs, int most) {
    this.uncertaintyNs = uncertaintyNs;
    this.most = most;
  }

  boolean isEmpty() {
    return inWindow == 0;
  }

  /** Bounds a transaction by those that ended before it began, and began after it ended. */
  void bound(Times times, Room room) {
    long ended = Times.less(times.beginNs(), uncertaintyNs);
    room.beginAfter(Math.max(ends.largestBefore(ended), ends.largestBut(most)));
    if (!times.hasEnd()) {
      return;
    }
    long began = plus(times.endNs(), uncertaintyNs);
    if (began < earlierBegan()) {
      room.commitBefore(Room.LEAST);
    } else {
      room.commitBefore(begins.smallestBeginAfter(began));
    }
  }

  private long earlierBegan() {
    return begins.size() > most ? Math.max(earlierBegan, begins.timeFromEnd(most)) : earlierBegan;
  }

  private long earlierEnded() {
    return ends.size() > most ? Math.max(earlierEnded, ends.timeFromEnd(most)) : earlierEnded;
  }

  void add(Placed placed) {
    inWindow++;
    Times times = placed.transaction.times;
    begins.add(times.beginNs(), Room.LEAST, placed);
    if (times.hasEnd()) {
      ends.add(times.endNs(), placed.commit, placed);
    }
    if (begins.size() >= 2 * most) {
      forgetEarlier();
    }
  }

  private void forgetEarlier() {
    earlierBegan = earlierBegan();
    earlierEnded = earlierEnded();
    begins.keepLast(most);
    ends.keepLast(most);
  }

  /** Takes out a transaction that leaves the window. */
  void takeOut(Placed placed) {
    inWindow--;
    Times times = placed.transaction.times;
    begins.takeOut(times.beginNs(), placed);
    if (times.hasEnd()) {
      ends.takeOut(times.endNs(), placed);
    }
  }

  /** Takes out a transaction as if it had never been added; O(n). */
  void exclude(Placed placed) {
    inWindow--;
    Times times = placed.transaction.times;
    begins.exclude(times.beginNs(), placed);
    if (times.hasEnd()) {
      ends.exclude(times.endNs(), placed);
    }
  }

  /** A transaction has got another number; {@link #renumber} must follow. */
  void moved(Placed placed) {
    Times times = placed.transaction.times;
    if (times.hasEnd() && times.endNs() <= earlierEnded) {
      ends.noteBefore(placed.commit);
    }
  }

  /** Some have got other numbers. */
  void renumber() {
    ends.renumber();
  }

  /** Saves what is known of those that are not told apart. */
  void save(StateWriter out) {
    forgetEarlier();
    out.number(earlierBegan);
    out.number(earlierEnded);
    out.number(ends.largestBut(most));
  }

  void load(StateReader in) {
    earlierBegan = in.number();
    earlierEnded = in.number();
    ends.noteBefore(in.number());
  }

  /** The transactions of the window have been added to what was loaded. */
  void loaded() {
    forgetEarlier();
  }

  private static long plus(long timeNs, long byNs) {
    long sum = timeNs + byNs;
    return sum < timeNs ? Long.MAX_VALUE : sum;
  }
}
