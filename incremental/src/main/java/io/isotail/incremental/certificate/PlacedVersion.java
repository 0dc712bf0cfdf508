package io.isotail.incremental.certificate;

import org.jspecify.annotations.Nullable;

/**
 * A version of a key. Those of one key stand in a ring in the order of their writers' commit
 * numbers; the initial version, which comes first, follows the last one.
 */
final class PlacedVersion {
  final long key;

  /** Null for the initial version. */
  final @Nullable Placed writer;

  PlacedVersion previous = this;
  PlacedVersion next = this;

  /** Number of transactions in the window that read it. */
  int readers;

  /** The one with the largest begin number that read it; null if that one has left the window. */
  @Nullable Placed lastRead;

  PlacedVersion(long key, @Nullable Placed writer) {
    this.key = key;
    this.writer = writer;
  }

  /** Its writer, of a version that is not the initial one. */
  Placed owner() {
    if (writer == null) {
      throw new IllegalStateException("the initial version of " + key + " has no writer");
    }
    return writer;
  }

  /** Whether no version comes after it. */
  boolean isLast() {
    return next.writer == null;
  }

  /**
   * Whether its writer is known to have replaced the version before it: then no other one ever
   * stands between.
   */
  boolean isPinned() {
    return writer != null
        && previous.writer != null
        && writer.transaction.replacedOf(key) == previous.writer.transaction;
  }

  /** Whether its writer has been excluded, and nothing follows from who has read it. */
  boolean isTakenOut() {
    return writer != null && next == this;
  }

  void insertBehind(PlacedVersion version) {
    previous = version;
    next = version.next;
    next.previous = this;
    version.next = this;
  }

  void takeOut() {
    previous.next = next;
    next.previous = previous;
    previous = this;
    next = this;
  }

  void readBy(Placed reader) {
    readers++;
    noteRead(reader);
  }

  @Override
  public String toString() {
    return key + " by " + (writer == null ? "nobody" : writer);
  }

  void noteRead(Placed reader) {
    if (lastRead == null || lastRead.begin < reader.begin) {
      lastRead = reader;
    }
  }
}
