package io.isotail.incremental.window;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.Numbered;
import org.jspecify.annotations.Nullable;

/**
 * An edge of the commit relation, with the premise that justifies it. Each transaction leads to its
 * edges, latest first, by {@link Transaction#firstOut} and {@link #nextOut}, {@link
 * Transaction#firstIn} and {@link #nextIn}.
 */
public final class Edge extends Numbered {
  /** The transaction that comes first. */
  public final Transaction from;

  /** The transaction that comes later. */
  public final Transaction to;

  /** Why. */
  public final EdgeKind kind;

  /** Key that the edge is about; meaningless for session order. */
  public long key;

  /**
   * For an inferred edge, the transaction whose read of {@link #key} from {@link #to} implies it.
   */
  public @Nullable Transaction reader;

  /** The last reader that implied the edge again after it had been left out. */
  public @Nullable Transaction lastObserver;

  /** The weakest level that needs the edge. */
  public IsolationLevel level;

  /** Order: bit {@code 1 << level.ordinal()} is set where the edge would close a cycle. */
  public int leftOut;

  /** Whether an end has left the window. */
  public boolean dead;

  private @Nullable Edge nextOut;
  private @Nullable Edge previousOut;
  private @Nullable Edge nextIn;
  private @Nullable Edge previousIn;

  /** An edge that is in no order yet. */
  public Edge(
      Transaction from,
      Transaction to,
      EdgeKind kind,
      long key,
      @Nullable Transaction reader,
      IsolationLevel level) {
    this.from = from;
    this.to = to;
    this.kind = kind;
    this.key = key;
    this.reader = reader;
    this.level = level;
  }

  /** The edge from the same transaction that was entered before this one, or null. */
  public @Nullable Edge nextOut() {
    return nextOut;
  }

  /** The edge to the same transaction that was entered before this one, or null. */
  public @Nullable Edge nextIn() {
    return nextIn;
  }

  /** Enters the edge at both ends. */
  public void enter() {
    Edge next = from.firstOut;
    if (next != null) {
      next.previousOut = this;
    }
    nextOut = next;
    from.firstOut = this;
    next = to.firstIn;
    if (next != null) {
      next.previousIn = this;
    }
    nextIn = next;
    to.firstIn = this;
  }

  /** Takes the edge out at both ends. */
  public void leave() {
    dead = true;
    if (nextOut != null) {
      nextOut.previousOut = previousOut;
    }
    if (previousOut != null) {
      previousOut.nextOut = nextOut;
    } else {
      from.firstOut = nextOut;
    }
    if (nextIn != null) {
      nextIn.previousIn = previousIn;
    }
    if (previousIn != null) {
      previousIn.nextIn = nextIn;
    } else {
      to.firstIn = nextIn;
    }
    nextOut = null;
    previousOut = null;
    nextIn = null;
    previousIn = null;
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

  /** Saves the edges from one transaction, in order. */
  static void saveOut(@Nullable Edge first, GraphWriter out) {
    int n = 0;
    for (Edge edge = first; edge != null; edge = edge.nextOut) {
      n++;
    }
    out.out.count(n);
    for (Edge edge = first; edge != null; edge = edge.nextOut) {
      out.edge(edge);
    }
  }

  /** Saves the edges to one transaction, in order. */
  static void saveIn(@Nullable Edge first, GraphWriter out) {
    int n = 0;
    for (Edge edge = first; edge != null; edge = edge.nextIn) {
      n++;
    }
    out.out.count(n);
    for (Edge edge = first; edge != null; edge = edge.nextIn) {
      out.edge(edge);
    }
  }

  static @Nullable Edge loadOut(GraphReader in) {
    Edge first = null;
    Edge last = null;
    for (int n = in.in.count(); n > 0; n--) {
      Edge edge = in.edge();
      if (last == null) {
        first = edge;
      } else {
        last.nextOut = edge;
      }
      edge.previousOut = last;
      last = edge;
    }
    return first;
  }

  static @Nullable Edge loadIn(GraphReader in) {
    Edge first = null;
    Edge last = null;
    for (int n = in.in.count(); n > 0; n--) {
      Edge edge = in.edge();
      if (last == null) {
        first = edge;
      } else {
        last.nextIn = edge;
      }
      edge.previousIn = last;
      last = edge;
    }
    return first;
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
