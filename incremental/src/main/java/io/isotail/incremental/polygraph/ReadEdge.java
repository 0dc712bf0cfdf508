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

  /** To the writer of the next version; null where there is none, or that is the reader itself. */
  @Nullable Dependency toNext;

  /** Its place among those of the reader. */
  int place;

  ReadEdge(TransactionNode reader, VersionSlot version, @Nullable ListAdjacency shown) {
    this.reader = reader;
    this.version = version;
    this.shown = shown;
  }
}
