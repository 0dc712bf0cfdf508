package io.isotail.incremental.polygraph;

import org.jspecify.annotations.Nullable;

/** When a transaction ended, in a {@link TimeChain}. */
final class TimePoint extends Event {
  /** The transaction that ended; null for the origin, before all. */
  final @Nullable TransactionNode ended;

  final long atNs;

  /** Tells points of the same time apart; ascends in the order in which they came. */
  final long number;

  @Nullable TimePoint previous;
  @Nullable TimePoint next;

  /** To the next point; null from the origin, and where there is none. */
  @Nullable Dependency toNext;

  /** The transactions that began after this point and not after the next one. */
  final LinkedItems<Begun> begun = new LinkedItems<>();

  TimePoint(@Nullable TransactionNode ended, long atNs, long number) {
    super(null);
    this.ended = ended;
    this.atNs = atNs;
    this.number = number;
  }

  /** That a transaction began after a point. */
  static final class Begun extends Linked<Begun> {
    final TransactionNode node;

    /** When it surely had not begun yet, on the scale of the points. */
    final long afterNs;

    TimePoint point;

    /** From the point; null if that is the origin. */
    @Nullable Dependency dependency;

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
