package io.isotail.incremental.digraph;

/** An edge that is nothing else. */
final class Link<N extends Node<N, Link<N>>> extends Edge<N, Link<N>> {
  Link(N from, N to) {
    super(from, to);
  }

  @Override
  protected Link<N> self() {
    return this;
  }
}
