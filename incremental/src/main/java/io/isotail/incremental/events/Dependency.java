package io.isotail.incremental.events;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.window.Txn;
import org.jspecify.annotations.Nullable;

/**
 * An edge of a level's graph: why one event comes before another.
 *
 * <p>A ww dependency rests on the choice that its ends stand in this order among the versions of
 * the key. A rw dependency rests on the choice that {@link #source}, whose version was read, stands
 * before the overwriting transaction; unless the initial version was read, which precedes all.
 */
public final class Dependency {
  final Event from;
  final Event to;
  final EdgeKind kind;

  /** The key, 0 for session order and real time. */
  final long key;

  /** For rw: who wrote the version that was read; null for the initial version. */
  final @Nullable Member source;

  /** Whether it follows from a choice that a search has put in force. */
  boolean forced;

  /** Whether it is in the graph, and so part of the topological order. */
  boolean entered;

  /** Whether it is no longer wanted. */
  boolean dead;

  @Nullable Dependency nextOut;
  @Nullable Dependency previousOut;
  @Nullable Dependency nextIn;
  @Nullable Dependency previousIn;

  Dependency(Event from, Event to, EdgeKind kind, long key, @Nullable Member source) {
    this.from = from;
    this.to = to;
    this.kind = kind;
    this.key = key;
    this.source = source;
  }

  /**
   * The writer that was chosen to come first; null where nothing was chosen, since the other one
   * reads from it or follows it in its session.
   */
  @Nullable Member chosenFirst() {
    Member first = kind == EdgeKind.WW ? from.owner() : kind == EdgeKind.RW ? source : null;
    return first == null || chosenLater().follows(first) ? null : first;
  }

  /**
   * Whether it rests on an order of two writers that nobody saw: {@link #source} or first, later.
   */
  public boolean isAssumed() {
    return chosenFirst() != null;
  }

  /** The writer that was chosen to come after {@link #chosenFirst}. */
  Member chosenLater() {
    return to.owner();
  }

  /** Enters it at both ends. */
  void enter() {
    entered = true;
    Dependency next = from.firstOut;
    nextOut = next;
    if (next != null) {
      next.previousOut = this;
    }
    from.firstOut = this;
    next = to.firstIn;
    nextIn = next;
    if (next != null) {
      next.previousIn = this;
    }
    to.firstIn = this;
  }

  /** It is no longer wanted; takes it out at both ends if it was entered. */
  void remove() {
    dead = true;
    if (!entered) {
      return;
    }
    entered = false;
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

  /** The transaction that comes first. */
  public Txn first() {
    return from.owner().txn;
  }

  /** The transaction that comes later. */
  public Txn later() {
    return to.owner().txn;
  }

  /** Why. */
  public EdgeKind kind() {
    return kind;
  }

  /** The key, 0 for session order and real time. */
  public long key() {
    return key;
  }

  /** For rw: who wrote the version that was read; the initial transaction otherwise. */
  public Txn source() {
    return source == null ? Txn.INITIAL : source.txn;
  }

  @Override
  public String toString() {
    return from + " -" + kind + "(" + key + ")-> " + to;
  }
}
