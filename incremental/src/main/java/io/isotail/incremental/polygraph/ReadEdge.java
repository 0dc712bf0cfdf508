package io.isotail.incremental.polygraph;

import org.jspecify.annotations.Nullable;

/**
 * That a transaction read a version from another one, or that a list read shows that its own
 * version directly succeeds that one. Either way the writer of the next version comes later.
 */
final class ReadEdge extends Linked<ReadEdge> {
  final TransactionNode reader;
  final VersionSlot version;

  /** What the list read shows; null if the version was read. */
  final @Nullable ListAdjacency shown;

  /** The edge from the writer of the version to the reader; absent where that is no read of it. */
  EdgeState from = EdgeState.ABSENT;

  /** The edge to the writer of the next version; absent where that is the reader itself. */
  EdgeState behind = EdgeState.ABSENT;

  /** Its place among those of the reader. */
  int place;

  ReadEdge(TransactionNode reader, VersionSlot version, @Nullable ListAdjacency shown) {
    this.reader = reader;
    this.version = version;
    this.shown = shown;
  }
}
