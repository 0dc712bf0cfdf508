package io.isotail.incremental.digraph;

import io.isotail.incremental.snapshot.Numbered;
import org.jspecify.annotations.Nullable;

/**
 * An edge of a directed graph. It is in the graph from {@link #enter} until {@link #remove}; its
 * nodes then lead to it.
 *
 * @param <N> a node
 * @param <E> the edge itself
 */
public abstract class Edge<N extends Node<N, E>, E extends Edge<N, E>> extends Numbered {
  /** What comes first. */
  public final N from;

  /** What comes later. */
  public final N to;

  boolean entered;
  @Nullable E nextOut;
  @Nullable E previousOut;
  @Nullable E nextIn;
  @Nullable E previousIn;

  /** An edge that is not in the graph yet. */
  protected Edge(N from, N to) {
    this.from = from;
    this.to = to;
  }

  /** This edge, by its own type. */
  protected abstract E self();

  /** Whether it is in the graph. */
  public final boolean isEntered() {
    return entered;
  }

  /** The edge from the same node that was entered before this one, or null. */
  public final @Nullable E nextOut() {
    return nextOut;
  }

  /** The edge to the same node that was entered before this one, or null. */
  public final @Nullable E nextIn() {
    return nextIn;
  }

  /** Enters it at both ends. */
  public final void enter() {
    entered = true;
    E self = self();
    E next = from.firstOut;
    nextOut = next;
    if (next != null) {
      next.previousOut = self;
    }
    from.firstOut = self;
    next = to.firstIn;
    nextIn = next;
    if (next != null) {
      next.previousIn = self;
    }
    to.firstIn = self;
  }

  /** Takes it out at both ends, if it was entered. */
  public final void remove() {
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
}
