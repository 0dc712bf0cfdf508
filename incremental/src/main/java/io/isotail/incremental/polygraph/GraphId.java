package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;

/** Which graph a node is part of: equal to itself alone. */
final class GraphId {
  final IsolationLevel level;

  GraphId(IsolationLevel level) {
    this.level = level;
  }
}
