package io.isotail.incremental.polygraph;

import org.jspecify.annotations.Nullable;

/** A version in the guessed order of a key's versions: its writer, readers and neighbours. */
final class VersionSlot {
  final KeyVersions key;

  /** Its writer; null for the initial version. */
  final @Nullable TransactionNode writer;

  /** Ascends along the versions of the key. */
  long label;

  @Nullable VersionSlot previous;
  @Nullable VersionSlot next;

  /** From its writer to that of the next version; null where there is none. */
  @Nullable Dependency ww;

  /** The reads of it. */
  final LinkedItems<ReadEdge> readers = new LinkedItems<>();

  VersionSlot(KeyVersions key, @Nullable TransactionNode writer) {
    this.key = key;
    this.writer = writer;
  }

  /** Whether it stands before another version of the key. */
  boolean isBefore(VersionSlot other) {
    return label < other.label;
  }
}
