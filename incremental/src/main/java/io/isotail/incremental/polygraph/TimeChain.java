package io.isotail.incremental.polygraph;

import io.isotail.incremental.polygraph.TimePoint.Begun;
import io.isotail.incremental.record.Times;
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
  private final EventGraph graph;

  /** Whether of all clocks, not of one. */
  private final boolean across;

  private final long uncertaintyNs;
  final TimePoints points = new TimePoints();
  final TimePoint origin = points.origin;

  TimeChain(EventGraph graph, boolean across, long uncertaintyNs) {
    this.graph = graph;
    this.across = across;
    this.uncertaintyNs = uncertaintyNs;
  }

  boolean isEmpty() {
    return points.size() == 0 && origin.begun.isEmpty();
  }

  /** Wants all that follows from the times of a transaction, which are orderable. */
  void add(TransactionNode node) {
    Times times = node.transaction.times;
    long after = lastNotBegun(node);
    Begun begun = new Begun(node, after, points.lastBefore(after));
    note(node, begun);
    attach(begun, begun.point);
    if (times.hasEnd()) {
      addEnd(node, times.endNs());
    }
  }

  /** The beginning less the uncertainty. */
  private long lastNotBegun(TransactionNode node) {
    return Times.less(node.transaction.times.beginNs(), uncertaintyNs);
  }

  private void addEnd(TransactionNode node, long endNs) {
    if (isFarBack(endNs)) {
      graph.unordered++;
      return;
    }
    TimePoint end = new TimePoint(node, endNs);
    noteEnd(node, end);
    graph.order.append(end);
    TimePoint previous = insert(end);
    graph.edges.wantEnd(end);
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
    if (points.size() <= graph.mostPointsBack) {
      return false;
    }
    TimePoint point = points.last();
    for (int i = 0; i < graph.mostPointsBack && point.atNs > endNs && point.previous != null; i++) {
      point = point.previous;
    }
    return point.atNs > endNs;
  }

  /** Puts a point behind all that are not later; returns the one before it. */
  private TimePoint insert(TimePoint point) {
    TimePoint previous = points.insert(point);
    previous.toNext = EdgeState.ABSENT;
    return previous;
  }

  private void connect(TimePoint point) {
    if (point != origin && point.next != null) {
      graph.edges.wantNext(point, point.next);
    }
  }

  private void attach(Begun begun, TimePoint point) {
    begun.after = EdgeState.ABSENT;
    begun.point = point;
    point.begun.add(begun);
    if (point != origin) {
      graph.edges.wantBegun(begun);
    }
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
    begun.after = EdgeState.ABSENT;
  }

  /** Takes out an end; wants what followed from those before it over this one. */
  private void remove(TimePoint end) {
    TimePoint previous = end.previous == null ? origin : end.previous;
    previous.toNext = EdgeState.ABSENT;
    end.toNext = EdgeState.ABSENT;
    end.fromEnded = EdgeState.ABSENT;
    graph.order.remove(end);
    points.takeOut(end);
    connect(previous);
    for (Begun begun : end.begun) {
      end.begun.remove(begun);
      attach(begun, previous);
    }
  }

  /** Takes back a point that was saved, as the last one. */
  TimePoint restore(TransactionNode ended) {
    TimePoint point = new TimePoint(ended, ended.transaction.times.endNs());
    TimePoint previous = insert(point);
    point.fromEnded = EdgeState.ENTERED;
    previous.toNext = previous == origin ? EdgeState.ABSENT : EdgeState.ENTERED;
    noteEnd(ended, point);
    return point;
  }

  /** Takes back a beginning that was saved. */
  void restoreBegun(TimePoint point, TransactionNode node) {
    Begun begun = new Begun(node, lastNotBegun(node), point);
    point.begun.add(begun);
    begun.after = point == origin ? EdgeState.ABSENT : EdgeState.ENTERED;
    note(node, begun);
  }
}
