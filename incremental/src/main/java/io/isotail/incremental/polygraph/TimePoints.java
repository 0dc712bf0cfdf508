package io.isotail.incremental.polygraph;

import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;

/**
 * The points of a {@link TimeChain}, linked in the order of time; those of one time stand in the
 * order in which they came. A time near the last point is found by walking back, any other in O(log
 * n).
 */
final class TimePoints {
  /** So many points are walked over before the tree is asked. */
  private static final int NEAR = 32;

  /** Before all points. */
  final TimePoint origin = new TimePoint(null, Long.MIN_VALUE);

  /** The last point of each time. */
  private final Long2ObjectAVLTreeMap<TimePoint> lastOfTime = new Long2ObjectAVLTreeMap<>();

  private TimePoint last = origin;
  private int size;

  int size() {
    return size;
  }

  /** The last point; the origin if there is none. */
  TimePoint last() {
    return last;
  }

  /** The last point of which the time is before {@code timeNs}; it may be the origin. */
  TimePoint lastBefore(long timeNs) {
    TimePoint point = last;
    for (int i = 0; i < NEAR && point.previous != null && point.atNs >= timeNs; i++) {
      point = point.previous;
    }
    if (point == origin || point.atNs < timeNs) {
      return point;
    }
    Long2ObjectSortedMap<TimePoint> before = lastOfTime.headMap(timeNs);
    return before.isEmpty() ? origin : before.get(before.lastLongKey());
  }

  /** Adds one behind all that are not later; returns the one before it. */
  TimePoint insert(TimePoint point) {
    TimePoint previous = last.atNs <= point.atNs ? last : lastBefore(point.atNs + 1);
    TimePoint next = previous.next;
    point.previous = previous;
    point.next = next;
    previous.next = point;
    if (next == null) {
      last = point;
    } else {
      next.previous = point;
    }
    lastOfTime.put(point.atNs, point);
    size++;
    return previous;
  }

  /** Takes one out. */
  void takeOut(TimePoint point) {
    TimePoint previous = point.previous == null ? origin : point.previous;
    TimePoint next = point.next;
    boolean lastOfIts = next == null || next.atNs != point.atNs;
    if (lastOfIts && previous != origin && previous.atNs == point.atNs) {
      lastOfTime.put(point.atNs, previous);
    } else if (lastOfIts) {
      lastOfTime.remove(point.atNs);
    }
    previous.next = next;
    if (next == null) {
      last = previous;
    } else {
      next.previous = previous;
    }
    point.previous = null;
    point.next = null;
    size--;
  }
}
