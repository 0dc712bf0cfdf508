package io.isotail.incremental.polygraph;

import io.isotail.incremental.polygraph.ImpliedEdges.Visitor;
import io.isotail.incremental.polygraph.TimePoint.Begun;
import org.jspecify.annotations.Nullable;

/**
 * The edges that {@link TimeChain time chains} imply: from a transaction to its end, from each end
 * to the next one, and from an end to the transactions that began after it. None is kept as an
 * object.
 */
final class TimeEdges {
  private TimeEdges() {}

  /** Comes to the end of each edge from an event, until the visitor goes no farther. */
  static boolean successors(Event event, Visitor visitor) {
    TransactionNode node = event.node;
    if (node == null) {
      return afterPoint((TimePoint) event, visitor);
    }
    return event == node.commit && (toEnd(node.end, visitor) || toEnd(node.endAcross, visitor));
  }

  private static boolean afterPoint(TimePoint point, Visitor visitor) {
    TimePoint next = point.next;
    boolean stops =
        next != null && point.toNext == EdgeState.ENTERED && visitor.comesTo(next, point);
    for (Begun begun = point.begun.first(); begun != null && !stops; begun = begun.linkedAfter) {
      stops = begun.after == EdgeState.ENTERED && visitor.comesTo(begun.node.begin, begun);
    }
    return stops;
  }

  private static boolean toEnd(@Nullable TimePoint end, Visitor visitor) {
    return end != null && end.fromEnded == EdgeState.ENTERED && visitor.comesTo(end, end);
  }

  /** Comes to the beginning of each edge to an event, until the visitor goes no farther. */
  static boolean predecessors(Event event, Visitor visitor) {
    TransactionNode node = event.node;
    if (node == null) {
      return beforePoint((TimePoint) event, visitor);
    }
    return event == node.begin
        && (fromPoint(node.begun, visitor) || fromPoint(node.begunAcross, visitor));
  }

  private static boolean beforePoint(TimePoint point, Visitor visitor) {
    TransactionNode ended = point.ended;
    if (ended != null
        && point.fromEnded == EdgeState.ENTERED
        && visitor.comesTo(ended.commit, point)) {
      return true;
    }
    TimePoint previous = point.previous;
    return previous != null
        && previous.toNext == EdgeState.ENTERED
        && visitor.comesTo(previous, previous);
  }

  private static boolean fromPoint(@Nullable Begun begun, Visitor visitor) {
    return begun != null && begun.after == EdgeState.ENTERED && visitor.comesTo(begun.point, begun);
  }
}
