package io.isotail.incremental.saturation;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.digraph.Edge;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * An edge of the commit relation, with the premise that justifies it. It is in the graph until one
 * of its ends leaves the window.
 */
public final class CommitEdge extends Edge<RelationNode, CommitEdge> {
  /** Why. */
  public final EdgeKind kind;

  /** Key that the edge is about; meaningless for session order. */
  long key;

  /**
   * For an inferred edge, the transaction whose read of {@link #key} from {@link #later} implies
   * it.
   */
  @Nullable Transaction reader;

  /** The last reader that implied the edge again after it had been left out. */
  @Nullable Transaction lastObserver;

  /** The weakest level that needs the edge. */
  IsolationLevel level;

  /** Bit {@code 1 << level.ordinal()} is set where the edge would close a cycle. */
  int leftOut;

  /** An edge that is in no order yet. */
  CommitEdge(
      RelationNode from,
      RelationNode to,
      EdgeKind kind,
      long key,
      @Nullable Transaction reader,
      IsolationLevel level) {
    super(from, to);
    this.kind = kind;
    this.key = key;
    this.reader = reader;
    this.level = level;
  }

  @Override
  protected CommitEdge self() {
    return this;
  }

  /** The transaction that comes first. */
  public Transaction first() {
    return from.transaction;
  }

  /** The transaction that comes later. */
  public Transaction later() {
    return to.transaction;
  }

  /** Key that the edge is about; meaningless for session order. */
  public long key() {
    return key;
  }

  /** For an inferred edge, the transaction whose read of the key from {@link #later} implies it. */
  public @Nullable Transaction reader() {
    return reader;
  }

  /** The weakest level that needs the edge. */
  public IsolationLevel level() {
    return level;
  }

  /** Whether it would close a cycle at some level, and so is left out of that level's order. */
  public boolean isLeftOut() {
    return leftOut != 0;
  }

  /**
   * Notes that a read implies an edge that is left out once more.
   *
   * @return false if the same transaction has implied it before
   */
  public boolean observedAgainBy(Transaction observer) {
    if (leftOut == 0 || reader == observer || lastObserver == observer) {
      return false;
    }
    lastObserver = observer;
    return true;
  }

  /** Whether the edge is part of the relation of {@code atLevel}, left out or not. */
  public boolean needed(IsolationLevel atLevel) {
    return isEntered() && level.compareTo(atLevel) <= 0;
  }

  /** Whether the edge is part of the order that is kept for {@code atLevel}. */
  public boolean active(IsolationLevel atLevel) {
    return needed(atLevel) && (leftOut & (1 << atLevel.ordinal())) == 0;
  }

  /** From now on a weaker level needs it, for another reason. */
  void weaken(IsolationLevel weaker, long newKey, @Nullable Transaction newReader) {
    level = weaker;
    key = newKey;
    reader = newReader;
  }

  void save(RelationWriter out) {
    out.node(from);
    out.node(to);
    out.graph.out.constant(kind);
    out.graph.out.number(key);
    out.graph.transaction(reader);
    out.graph.transaction(lastObserver);
    out.graph.out.constant(level);
    out.graph.out.count(leftOut);
  }

  static CommitEdge load(RelationReader in) {
    CommitEdge edge =
        new CommitEdge(
            in.node(),
            in.node(),
            in.graph.in.constant(EdgeKind.class),
            in.graph.in.number(),
            in.graph.transactionOrNull(),
            IsolationLevel.READ_COMMITTED);
    edge.lastObserver = in.graph.transactionOrNull();
    edge.level = in.graph.in.constant(IsolationLevel.class);
    edge.leftOut = in.graph.in.count();
    return edge;
  }
}
