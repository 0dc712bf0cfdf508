package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.Numbered;
import org.jspecify.annotations.Nullable;

/**
 * A version in the guessed order of a key's versions: its writer, readers and neighbours. The
 * initial version is the {@link KeyVersions} itself.
 */
class VersionSlot extends Numbered {
  private static final LinkedItems<ReadEdge> NOBODY = new LinkedItems<>();

  final KeyVersions key;

  /** Its writer; null for the initial version. */
  final @Nullable TransactionNode writer;

  /** Ascends along the versions of the key. */
  long label;

  @Nullable VersionSlot previous;
  @Nullable VersionSlot next;

  /** The edge from its writer to that of the next version. */
  EdgeState overwritten = EdgeState.ABSENT;

  /** The reads of it; null where there are none, as of most versions. */
  private @Nullable LinkedItems<ReadEdge> readers;

  VersionSlot(KeyVersions key, TransactionNode writer) {
    this.key = key;
    this.writer = writer;
  }

  /** The initial version, which a key's versions begin with. */
  VersionSlot() {
    this.key = (KeyVersions) this;
    this.writer = null;
  }

  /** The reads of it, in the order in which they were added; to be walked through alone. */
  LinkedItems<ReadEdge> readers() {
    return readers == null ? NOBODY : readers;
  }

  boolean isRead() {
    return readers != null;
  }

  void addReader(ReadEdge readEdge) {
    if (readers == null) {
      readers = new LinkedItems<>();
    }
    readers.add(readEdge);
    key.replaced += readEdge.replaces ? 1 : 0;
  }

  /** Takes out a read of it. */
  void removeReader(ReadEdge readEdge) {
    if (readers == null) {
      throw new IllegalStateException("nobody reads it");
    }
    readers.remove(readEdge);
    key.replaced -= readEdge.replaces ? 1 : 0;
    if (readers.isEmpty()) {
      readers = null;
    }
  }

  /** Its writer, of a version that is not the initial one. */
  TransactionNode owner() {
    if (writer == null) {
      throw new IllegalStateException("the initial version comes first");
    }
    return writer;
  }

  /** Whether it stands before another version of the key. */
  boolean isBefore(VersionSlot other) {
    return label < other.label;
  }
}
