package io.isotail.incremental.digraph;

import io.isotail.incremental.snapshot.Numbered;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a directed graph: its place in the topological order, and the edges at it.
 *
 * <p>The edges stand in two linked lists, the latest first, so that one is entered and taken out
 * without a search. One thread owns the graph.
 *
 * @param <N> the node itself
 * @param <E> an edge between such nodes
 */
public abstract class Node<N extends Node<N, E>, E extends Edge<N, E>> extends Numbered {
  /** Place in the topological order. */
  public long position;

  @Nullable E firstOut;
  @Nullable E firstIn;

  private long mark;

  /** The latest edge that leads away, or null. {@link Edge#nextOut} leads on. */
  public final @Nullable E firstOut() {
    return firstOut;
  }

  /** The latest edge that leads here, or null. {@link Edge#nextIn} leads on. */
  public final @Nullable E firstIn() {
    return firstIn;
  }

  /** Notes that a search comes here. Returns false if it has been here before. */
  public final boolean visit(long searchMark) {
    if (mark == searchMark) {
      return false;
    }
    mark = searchMark;
    return true;
  }

  /** Whether a search has been here, the last of all that were. */
  public final boolean isVisited(long searchMark) {
    return mark == searchMark;
  }

  /** Gives a node without edges those that lead away, in the order in which they are told. */
  public final void restoreOut(List<E> edges) {
    E last = null;
    for (E edge : edges) {
      edge.previousOut = last;
      if (last == null) {
        firstOut = edge;
      } else {
        last.nextOut = edge;
      }
      last = edge;
    }
  }

  /** Gives a node without edges those that lead here, in the order in which they are told. */
  public final void restoreIn(List<E> edges) {
    E last = null;
    for (E edge : edges) {
      edge.entered = true;
      edge.previousIn = last;
      if (last == null) {
        firstIn = edge;
      } else {
        last.nextIn = edge;
      }
      last = edge;
    }
  }
}
