package io.isotail.incremental.certificate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in the order of one of their times, each with the largest of a number up to it.
 *
 * <p>One that is added, or taken out, costs O(log n) and O(d), where d others are later or, if they
 * are fewer, earlier.
 */
final class TimedNumbers {
  private long[] timesNs = new long[16];
  private @Nullable Placed[] placed = new Placed[16];
  private long[] largest = new long[16];

  /** They stand from here on, and up to before there. */
  private int first;

  private int end;

  /** The largest number of those before the first. */
  private long before = Room.LEAST;

  int size() {
    return end - first;
  }

  /** The time of the one that so many come after. */
  long timeFromEnd(int later) {
    return timesNs[end - 1 - later];
  }

  /** The largest number of those whose time is before another one. */
  long largestBefore(long timeNs) {
    int at = timeNs == Long.MIN_VALUE ? first : placeAfter(timeNs - 1);
    return at == first ? before : largest[at - 1];
  }

  /** The largest number of all but the last so many. */
  long largestBut(int last) {
    return end - last <= first ? before : largest[end - last - 1];
  }

  void add(long timeNs, long number, Placed added) {
    if (end == timesNs.length) {
      makeRoom();
    }
    int at = placeAfter(timeNs);
    move(at, at + 1, end - at);
    end++;
    timesNs[at] = timeNs;
    placed[at] = added;
    largest[at] = at == first ? before : largest[at - 1];
    for (int i = at; i < end && largest[i] < number; i++) {
      largest[i] = number;
    }
  }

  /** The smallest begin number of those whose time is after another one; O(n) of these. */
  long smallestBeginAfter(long timeNs) {
    long smallest = Room.MOST;
    for (int i = end - 1; i >= first && timesNs[i] > timeNs; i--) {
      Placed each = placed[i];
      smallest = each == null ? smallest : Math.min(smallest, each.begin);
    }
    return smallest;
  }

  /** Takes one out; numbers that were known with it stay so. */
  void takeOut(long timeNs, Placed gone) {
    takeOut(timeNs, gone, true);
  }

  /** Takes one out as if it had never been added. */
  void exclude(long timeNs, Placed gone) {
    takeOut(timeNs, gone, false);
  }

  private void takeOut(long timeNs, Placed gone, boolean staysKnown) {
    int at = placeAfter(timeNs) - 1;
    while (at >= first && placed[at] != gone && timesNs[at] == timeNs) {
      at--;
    }
    if (at < first || placed[at] != gone) {
      return;
    }
    if (at - first < end - at) {
      before = staysKnown ? Math.max(before, largest[first]) : before;
      move(first, first + 1, at - first);
      placed[first++] = null;
    } else {
      move(at + 1, at, end - at - 1);
      placed[--end] = null;
    }
    if (!staysKnown) {
      renumberAround(at);
    }
  }

  /** One was taken out: the numbers around its place, as far as they are others now. */
  private void renumberAround(int at) {
    int from = at - first < end - at ? first : at;
    long last = from == first ? before : largest[from - 1];
    for (int i = from; i < end; i++) {
      Placed each = placed[i];
      last = each == null ? last : Math.max(last, each.commit);
      if (i > at && largest[i] == last) {
        return;
      }
      largest[i] = last;
    }
  }

  /** Forgets all but the last so many. */
  void keepLast(int most) {
    if (size() > most) {
      before = largestBut(most);
      Arrays.fill(placed, first, end - most, null);
      first = end - most;
    }
  }

  /** A number of one that may be before the first; {@link #renumber} must follow. */
  void noteBefore(long number) {
    before = Math.max(before, number);
  }

  /** Some have got other numbers: those of their commits are taken anew. */
  void renumber() {
    long last = before;
    for (int i = first; i < end; i++) {
      Placed each = placed[i];
      last = each == null ? last : Math.max(last, each.commit);
      largest[i] = last;
    }
  }

  /** The first place of a time that is after another one; looked for from the end. */
  private int placeAfter(long timeNs) {
    int high = end;
    int step = 1;
    while (high > first && timesNs[Math.max(first, high - step)] > timeNs) {
      high = Math.max(first, high - step);
      step *= 2;
    }
    int low = Math.max(first, high - step);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timesNs[middle] > timeNs) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void move(int from, int to, int count) {
    System.arraycopy(timesNs, from, timesNs, to, count);
    System.arraycopy(placed, from, placed, to, count);
    System.arraycopy(largest, from, largest, to, count);
  }

  private void makeRoom() {
    int size = size();
    if (first >= size) {
      move(first, 0, size);
      Arrays.fill(placed, size, end, null);
    } else {
      int length = 2 * timesNs.length;
      timesNs = Arrays.copyOfRange(timesNs, first, first + length);
      placed = Arrays.copyOfRange(placed, first, first + length);
      largest = Arrays.copyOfRange(largest, first, first + length);
    }
    first = 0;
    end = size;
  }
}
