package io.isotail.incremental.window;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/** An edge of the commit relation, with the premise that justifies it. */
public final class Edge {
  /** The transaction that comes first. */
  public final Txn from;

  /** The transaction that comes later. */
  public final Txn to;

  /** Why. */
  public final EdgeKind kind;

  /** Key that the edge is about; meaningless for session order. */
  public long key;

  /**
   * For an inferred edge, the transaction whose read of {@link #key} from {@link #to} implies it.
   */
  public @Nullable Txn reader;

  /** The last reader that implied the edge again after it had been left out. */
  public @Nullable Txn lastObserver;

  /** The weakest level that needs the edge. */
  public IsolationLevel level;

  /** Order: bit {@code 1 << level.ordinal()} is set where the edge would close a cycle. */
  public int leftOut;

  /** Whether an end has left the window. */
  public boolean dead;

  /** An edge that is in no order yet. */
  public Edge(
      Txn from, Txn to, EdgeKind kind, long key, @Nullable Txn reader, IsolationLevel level) {
    this.from = from;
    this.to = to;
    this.kind = kind;
    this.key = key;
    this.reader = reader;
    this.level = level;
  }

  /** Whether the edge is part of the relation of {@code atLevel}, left out or not. */
  public boolean needed(IsolationLevel atLevel) {
    return !dead && level.compareTo(atLevel) <= 0;
  }

  /** Whether the edge is part of the order that is kept for {@code atLevel}. */
  public boolean active(IsolationLevel atLevel) {
    return needed(atLevel) && (leftOut & (1 << atLevel.ordinal())) == 0;
  }

  void save(GraphWriter out) {
    out.transaction(from);
    out.transaction(to);
    out.out.constant(kind);
    out.out.number(key);
    out.transaction(reader);
    out.transaction(lastObserver);
    out.out.constant(level);
    out.out.count(leftOut);
    out.out.flag(dead);
  }

  static Edge load(GraphReader in) {
    Edge edge =
        new Edge(
            in.transaction(),
            in.transaction(),
            in.in.constant(EdgeKind.class),
            in.in.number(),
            in.transactionOrNull(),
            IsolationLevel.READ_COMMITTED);
    edge.lastObserver = in.transactionOrNull();
    edge.level = in.in.constant(IsolationLevel.class);
    edge.leftOut = in.in.count();
    edge.dead = in.in.flag();
    return edge;
  }
}
