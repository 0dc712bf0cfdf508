package io.isotail.incremental.polygraph;

import java.util.AbstractList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The points of a {@link TimeChain} in the order of time, those of one time in the order in which
 * they came: a sorted ring. To add one near either end costs O(1), elsewhere as many moves as there
 * are points to the nearer end; to find a time costs O(log n) of its distance from the last point.
 */
final class TimePoints extends AbstractList<TimePoint> {
  private static final int LEAST = 16;

  private long[] times = new long[LEAST];
  private @Nullable TimePoint[] points = new TimePoint[LEAST];
  private int head;
  private int size;

  @Override
  public int size() {
    return size;
  }

  @Override
  public TimePoint get(int i) {
    return Objects.requireNonNull(points[at(i)]);
  }

  /** The time of a point. */
  long timeOf(int i) {
    return times[at(i)];
  }

  /** The last one of which the time is before {@code timeNs}; null if there is none. */
  @Nullable TimePoint lastBefore(long timeNs) {
    int n = countBefore(timeNs);
    return n == 0 ? null : get(n - 1);
  }

  /** Adds one behind all that are not later; returns the one before it, null if it is the first. */
  @Nullable TimePoint insert(TimePoint point) {
    int place = point.atNs == Long.MAX_VALUE ? size : countBefore(point.atNs + 1);
    if (size == points.length) {
      grow();
    }
    if (place < size - place) {
      head = (head - 1) & (points.length - 1);
      size++;
      for (int i = 0; i < place; i++) {
        move(i + 1, i);
      }
    } else {
      for (int i = size; i > place; i--) {
        move(i - 1, i);
      }
      size++;
    }
    times[at(place)] = point.atNs;
    points[at(place)] = point;
    return place == 0 ? null : get(place - 1);
  }

  /** Takes one out. */
  void takeOut(TimePoint point) {
    int place = countBefore(point.atNs);
    while (!get(place).equals(point)) {
      place++;
    }
    if (place < size - place) {
      for (int i = place; i > 0; i--) {
        move(i - 1, i);
      }
      points[at(0)] = null;
      head = (head + 1) & (points.length - 1);
    } else {
      for (int i = place; i < size - 1; i++) {
        move(i + 1, i);
      }
      points[at(size - 1)] = null;
    }
    size--;
  }

  /** How many are before a time. */
  private int countBefore(long timeNs) {
    int step = 1;
    int high = size;
    while (high > 0 && timeOf(high - 1) >= timeNs) {
      high = Math.max(0, high - step);
      step *= 2;
    }
    // All before `high` are earlier; the first that is not lies less than a step behind it.
    int low = high;
    int end = Math.min(size, high + step);
    while (low < end) {
      int middle = (low + end) >>> 1;
      if (timeOf(middle) < timeNs) {
        low = middle + 1;
      } else {
        end = middle;
      }
    }
    return low;
  }

  private int at(int i) {
    return (head + i) & (points.length - 1);
  }

  private void move(int from, int to) {
    times[at(to)] = times[at(from)];
    points[at(to)] = points[at(from)];
  }

  private void grow() {
    long[] moreTimes = new long[2 * times.length];
    TimePoint[] more = new TimePoint[2 * points.length];
    for (int i = 0; i < size; i++) {
      moreTimes[i] = timeOf(i);
      more[i] = points[at(i)];
    }
    times = moreTimes;
    points = more;
    head = 0;
  }
}
