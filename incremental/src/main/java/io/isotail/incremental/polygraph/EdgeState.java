package io.isotail.incremental.polygraph;

/** How far a dependency is that reads and the order of versions imply. */
enum EdgeState {
  /** Nothing implies it, or that is open now. */
  ABSENT,
  /** It is to enter the graph. */
  WANTED,
  /** It is part of the graph. */
  ENTERED
}
