package io.isotail.incremental.polygraph;

import org.jspecify.annotations.Nullable;

/** When a transaction ended, in a {@link TimeChain}. */
final class TimePoint extends Event {
  /** The transaction that ended; null for the origin, before all. */
  final @Nullable TransactionNode ended;

  final long atNs;

  @Nullable TimePoint previous;
  @Nullable TimePoint next;

  /** The edge to the next point; absent from the origin, and where there is none. */
  EdgeState toNext = EdgeState.ABSENT;

  /** The edge from the commit of the transaction that ended. */
  EdgeState fromEnded = EdgeState.ABSENT;

  /** The transactions that began after this point and not after the next one. */
  final LinkedItems<Begun> begun = new LinkedItems<>();

  TimePoint(@Nullable TransactionNode ended, long atNs) {
    super(null);
    this.ended = ended;
    this.atNs = atNs;
  }

  /** That a transaction began after a point. */
  static final class Begun extends Linked<Begun> {
    final TransactionNode node;

    /** When it surely had not begun yet, on the scale of the points. */
    final long afterNs;

    TimePoint point;

    /** The edge from the point; absent if that is the origin. */
    EdgeState after = EdgeState.ABSENT;

    Begun(TransactionNode node, long afterNs, TimePoint point) {
      this.node = node;
      this.afterNs = afterNs;
      this.point = point;
    }
  }

  @Override
  public String toString() {
    return ended == null ? "origin" : "end of " + ended;
  }
}
