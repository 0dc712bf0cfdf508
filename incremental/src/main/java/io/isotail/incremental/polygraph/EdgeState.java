package io.isotail.incremental.polygraph;

/** How far an edge is that follows from what is known, or from the order of versions. */
enum EdgeState {
  /** Nothing implies it, or that is open now. */
  ABSENT,
  /** It is to enter the graph. */
  WANTED,
  /** It is part of the graph. */
  ENTERED
}
