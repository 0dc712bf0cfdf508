package io.isotail.incremental.polygraph;

import org.jspecify.annotations.Nullable;

/**
 * That a transaction read a version from another one, or that its own version directly succeeds
 * that one, as a list read shows or as it is known to have replaced it. Either way the writer of
 * the next version comes later, unless the version is a mere element of a list.
 */
final class ReadEdge extends Linked<ReadEdge> {
  final TransactionNode reader;
  final VersionSlot version;

  /** What the list read shows; null if none shows it. */
  final @Nullable ListAdjacency shown;

  /**
   * Whether the version is an element of a list, of which the next one is not known: nothing is
   * said of who overwrote it.
   */
  final boolean element;

  /** Whether the reader is known to have replaced the version, which it need not have read. */
  final boolean replaces;

  /** The edge from the writer of the version; absent where that is the initial one. */
  EdgeState from = EdgeState.ABSENT;

  /** The edge to the writer of the next version; absent from that one itself and of an element. */
  EdgeState behind = EdgeState.ABSENT;

  /** The reads of the same reader around it, in the order in which they were added. */
  @Nullable ReadEdge previousOfReader;

  @Nullable ReadEdge nextOfReader;

  /** A read of a version. */
  ReadEdge(TransactionNode reader, VersionSlot version) {
    this(reader, version, null, false, false);
  }

  private ReadEdge(
      TransactionNode reader,
      VersionSlot version,
      @Nullable ListAdjacency shown,
      boolean element,
      boolean replaces) {
    this.reader = reader;
    this.version = version;
    this.shown = shown;
    this.element = element;
    this.replaces = replaces;
  }

  /** That a version of its own directly succeeds another one. */
  static ReadEdge listedBehind(
      TransactionNode overwriter, VersionSlot version, ListAdjacency shown) {
    return new ReadEdge(overwriter, version, shown, false, false);
  }

  /** A read of an element of which the next one is not known. */
  static ReadEdge ofElement(TransactionNode reader, VersionSlot version) {
    return new ReadEdge(reader, version, null, true, false);
  }

  /** That a transaction replaced a version. */
  static ReadEdge replaced(TransactionNode overwriter, VersionSlot version) {
    return new ReadEdge(overwriter, version, null, false, true);
  }

  /** Whether the version was read, be it as an element of a list. */
  boolean isRead() {
    return shown == null && !replaces;
  }

  /** Adds it to those of the reader and of the version. */
  void link() {
    version.addReader(this);
    reader.addRead(this);
  }

  /** Takes it out there. */
  void unlink() {
    version.removeReader(this);
    reader.takeOut(this);
  }
}
