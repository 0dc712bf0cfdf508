package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.polygraph.TimePoint.Begun;
import io.isotail.incremental.record.Times;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ends of transactions in the order of time, as a chain in the graph: an edge from a
 * transaction to its end, from each end to the next one, and from the last end before a transaction
 * began to that transaction. So a transaction that ended before another began reaches it, over O(n)
 * edges, and a transaction finds its place in O(log n).
 *
 * <p>Times that differ by no more than the uncertainty are not ordered.
 */
final class TimeChain {
  private static final Comparator<TimePoint> BY_TIME =
      Comparator.<TimePoint>comparingLong(p -> p.atNs).thenComparingLong(p -> p.number);

  private final EventGraph graph;

  /** Whether of all clocks, not of one. */
  private final boolean across;

  private final long uncertaintyNs;
  private final int mostPointsBack;
  private final TreeSet<TimePoint> points = new TreeSet<>(BY_TIME);
  final TimePoint origin = new TimePoint(null, Long.MIN_VALUE, Long.MIN_VALUE);
  private long nextNumber;

  TimeChain(EventGraph graph, boolean across, long uncertaintyNs, int mostPointsBack) {
    this.graph = graph;
    this.across = across;
    this.uncertaintyNs = uncertaintyNs;
    this.mostPointsBack = mostPointsBack;
  }

  boolean isEmpty() {
    return points.isEmpty() && origin.begun.isEmpty();
  }

  /** Wants all that follows from the times of a transaction, which are orderable. */
  void add(TransactionNode node) {
    Times times = node.transaction.times;
    long after = lastNotBegun(node);
    Begun begun = new Begun(node, after, lastBefore(after));
    note(node, begun);
    attach(begun, begun.point);
    if (times.hasEnd()) {
      addEnd(node, times.endNs());
    }
  }

  /** The beginning less the uncertainty. */
  private long lastNotBegun(TransactionNode node) {
    return less(node.transaction.times.beginNs(), uncertaintyNs);
  }

  /** A time less the uncertainty, or the least there is. */
  static long less(long timeNs, long uncertaintyNs) {
    long less = timeNs - uncertaintyNs;
    return less > timeNs ? Long.MIN_VALUE : less;
  }

  private void addEnd(TransactionNode node, long endNs) {
    if (isFarBack(endNs)) {
      graph.unordered++;
      return;
    }
    TimePoint end = new TimePoint(node, endNs, nextNumber++);
    noteEnd(node, end);
    graph.order.append(end);
    TimePoint previous = points.lower(end);
    if (previous == null) {
      previous = origin;
    }
    insert(end, previous);
    want(node.commit, end);
    connect(previous);
    connect(end);
    for (Begun begun : previous.begun) {
      if (begun.afterNs > endNs) {
        previous.begun.remove(begun);
        attach(begun, end);
      }
    }
  }

  /** Whether so many ends are later that to order this one would take too long. */
  private boolean isFarBack(long endNs) {
    if (points.size() <= mostPointsBack) {
      return false;
    }
    TimePoint point = points.last();
    for (int i = 0; i < mostPointsBack && point.atNs > endNs && point.previous != null; i++) {
      point = point.previous;
    }
    return point.atNs > endNs;
  }

  /** The last point before a time; it may be the origin. */
  private TimePoint lastBefore(long timeNs) {
    TimePoint last = points.lower(new TimePoint(null, timeNs, Long.MIN_VALUE));
    return last == null ? origin : last;
  }

  private void insert(TimePoint point, TimePoint previous) {
    points.add(point);
    TimePoint next = previous.next;
    disconnect(previous);
    point.previous = previous;
    point.next = next;
    previous.next = point;
    if (next != null) {
      next.previous = point;
    }
  }

  private static void disconnect(TimePoint point) {
    if (point.toNext != null) {
      point.toNext.withdraw();
      point.toNext = null;
    }
  }

  private void connect(TimePoint point) {
    if (point != origin && point.next != null) {
      point.toNext = want(point, point.next);
    }
  }

  private void attach(Begun begun, TimePoint point) {
    if (begun.dependency != null) {
      begun.dependency.withdraw();
    }
    begun.point = point;
    point.begun.add(begun);
    begun.dependency = point == origin ? null : want(point, begun.node.begin);
  }

  private Dependency want(Event from, Event to) {
    return graph.edges.want(from, to, EdgeKind.RT, null);
  }

  /** Takes out a transaction. */
  void remove(TransactionNode node) {
    Begun begun = begunOf(node);
    if (begun != null) {
      remove(begun);
      note(node, null);
    }
    TimePoint end = across ? node.endAcross : node.end;
    if (end != null) {
      remove(end);
      noteEnd(node, null);
    }
  }

  private @Nullable Begun begunOf(TransactionNode node) {
    return across ? node.begunAcross : node.begun;
  }

  private void note(TransactionNode node, @Nullable Begun begun) {
    if (across) {
      node.begunAcross = begun;
    } else {
      node.begun = begun;
    }
  }

  private void noteEnd(TransactionNode node, @Nullable TimePoint end) {
    if (across) {
      node.endAcross = end;
    } else {
      node.end = end;
    }
  }

  private static void remove(Begun begun) {
    begun.point.begun.remove(begun);
    if (begun.dependency != null) {
      begun.dependency.withdraw();
    }
  }

  /** Takes out an end; wants what followed from those before it over this one. */
  private void remove(TimePoint end) {
    TimePoint previous = end.previous == null ? origin : end.previous;
    TimePoint next = end.next;
    disconnect(previous);
    end.withdrawDependencies();
    graph.order.remove(end);
    points.remove(end);
    previous.next = next;
    if (next != null) {
      next.previous = previous;
      connect(previous);
    }
    for (Begun begun : end.begun) {
      end.begun.remove(begun);
      attach(begun, previous);
    }
    end.previous = null;
    end.next = null;
  }

  /** The points in order. */
  Iterable<TimePoint> points() {
    return points;
  }

  /** Takes back a point that was saved, as the last one. */
  TimePoint restore(TransactionNode ended) {
    TimePoint last = points.isEmpty() ? origin : points.last();
    TimePoint point = new TimePoint(ended, ended.transaction.times.endNs(), nextNumber++);
    insert(point, last);
    noteEnd(ended, point);
    return point;
  }

  /** Takes back a beginning that was saved; its dependency, if any, is told to it later. */
  void restoreBegun(TimePoint point, TransactionNode node) {
    Begun begun = new Begun(node, lastNotBegun(node), point);
    point.begun.add(begun);
    note(node, begun);
  }

  /** Finds the dependencies of points among those of the events. */
  void relink() {
    for (TimePoint point : points) {
      for (Dependency out = point.firstOut(); out != null; out = out.nextOut()) {
        if (out.to == point.next) {
          point.toNext = out;
        } else {
          begunAfter(out.to.owner(), point).dependency = out;
        }
      }
    }
  }

  private Begun begunAfter(TransactionNode node, TimePoint point) {
    Begun begun = begunOf(node);
    if (begun == null || begun.point != point) {
      throw new IllegalStateException(node + " did not begin after " + point);
    }
    return begun;
  }
}
