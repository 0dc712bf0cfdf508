package io.isotail.incremental.polygraph;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What may have become of no use among the transactions that have left the window, and whether
 * anything has come to rest on what is not known of them. Noted while the graph changes, and looked
 * at when the change is over.
 */
final class RetirementNotes {
  /** Those that may be of no use any more, and some that are gone; none between two records. */
  private final ArrayDeque<TransactionNode> overwritten = new ArrayDeque<>();

  /** Whether an edge has come to lead to one of them, whose reads are not known. */
  boolean followed;

  /** Whether any transaction has been taken out for good. */
  boolean incomplete;

  /** A version may have become of no use. */
  void noteOverwritten(@Nullable VersionSlot slot) {
    if (slot != null && slot.writer != null && slot.writer.retired && !isOfUse(slot)) {
      note(slot.writer);
    }
  }

  /** An edge is wanted. */
  void noteEdgeTo(Event event) {
    followed |= event.node != null && event.node.retired;
  }

  /** A list shows the place of a version whose writer is not there: it may have been. */
  void noteUnknownWriter() {
    followed |= incomplete;
  }

  /** A node may have become of no use. */
  void note(TransactionNode node) {
    if (!node.overwritten) {
      node.overwritten = true;
      overwritten.add(node);
    }
  }

  /** Whether nothing may have become of no use. */
  boolean isEmpty() {
    return overwritten.isEmpty();
  }

  /** Takes a node that may be of no use, which may be noted again; null if there is none. */
  @Nullable TransactionNode poll() {
    for (TransactionNode each = overwritten.poll(); each != null; each = overwritten.poll()) {
      if (each.overwritten) {
        each.overwritten = false;
        return each;
      }
    }
    return null;
  }

  /** Whether one of its versions is of use. */
  static boolean isOfUse(TransactionNode node) {
    for (VersionSlot slot : node.writes) {
      if (isOfUse(slot)) {
        return true;
      }
    }
    return false;
  }

  /** Whether someone in the window read the version, or may yet. */
  private static boolean isOfUse(VersionSlot slot) {
    VersionSlot next = slot.next;
    return slot.isRead() || next == null || next.writer == null || !next.writer.retired;
  }
}
