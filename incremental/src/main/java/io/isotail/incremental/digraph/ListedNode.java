package io.isotail.incremental.digraph;

import org.jspecify.annotations.Nullable;

/**
 * A node that stands in a {@link TopologicalList}: its {@link #position} is its label there, which
 * ascends along the list.
 *
 * @param <N> the node itself
 * @param <E> an edge between such nodes
 */
public abstract class ListedNode<N extends ListedNode<N, E>, E extends Edge<N, E>>
    extends Node<N, E> {
  @Nullable N listedBefore;
  @Nullable N listedAfter;

  /** The node before it in the order, or null. */
  public final @Nullable N listedBefore() {
    return listedBefore;
  }

  /** The next one in the list, null if it is the last. */
  public final @Nullable N listedAfter() {
    return listedAfter;
  }
}
