package io.isotail.incremental.events;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The versions of one key in their guessed order, the initial one first. */
final class KeyVersions {
  final long key;
  final VersionSlot initial = new VersionSlot(this, null);
  private VersionSlot last = initial;
  private int size;

  KeyVersions(long key) {
    this.key = key;
  }

  /** Number of versions beside the initial one. */
  int size() {
    return size;
  }

  /** The last version. */
  VersionSlot last() {
    return last;
  }

  /** Puts a version behind another one. */
  void insert(VersionSlot slot, VersionSlot previous) {
    VersionSlot next = previous.next;
    slot.previous = previous;
    slot.next = next;
    previous.next = slot;
    if (next == null) {
      last = slot;
    } else {
      next.previous = slot;
    }
    size++;
  }

  /** Takes a version out. */
  void remove(VersionSlot slot) {
    VersionSlot previous = slot.previous;
    VersionSlot next = slot.next;
    if (previous == null) {
      throw new IllegalStateException("the initial version of " + key);
    }
    previous.next = next;
    if (next == null) {
      last = previous;
    } else {
      next.previous = previous;
    }
    slot.previous = null;
    slot.next = null;
    size--;
  }

  /** The versions in order, without the initial one. */
  List<VersionSlot> inOrder() {
    List<VersionSlot> all = new ArrayList<>(size);
    for (VersionSlot slot = initial.next; slot != null; slot = slot.next) {
      all.add(slot);
    }
    return all;
  }

  /** Gives the versions another order. */
  void reorder(List<VersionSlot> order) {
    @Nullable VersionSlot previous = initial;
    for (VersionSlot slot : order) {
      slot.previous = previous;
      previous.next = slot;
      previous = slot;
    }
    previous.next = null;
    last = previous;
  }
}
