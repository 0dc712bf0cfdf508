package io.isotail.incremental.polygraph;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The versions of one key in their guessed order; it is the first of them, the initial one. */
final class KeyVersions extends VersionSlot {
  /** Between labels, so that many versions find a place between two others. */
  private static final long GAP = 1L << 32;

  final long id;

  /** What list reads show; null if nothing. */
  @Nullable KeyLists lists;

  /** Of how many it is known who replaced them. */
  int replaced;

  private VersionSlot last = this;
  private int size;

  KeyVersions(long id) {
    this.id = id;
  }

  /** What list reads show, where they show something. */
  KeyLists lists() {
    return Objects.requireNonNull(lists);
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
    label(slot, previous);
  }

  /** Takes a version out. */
  void remove(VersionSlot slot) {
    VersionSlot previous = slot.previous;
    VersionSlot next = slot.next;
    if (previous == null) {
      throw new IllegalStateException("the initial version of " + id);
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
    return next == null ? List.of() : between(next, last);
  }

  /** The versions from one to another, both included. */
  List<VersionSlot> between(VersionSlot first, VersionSlot end) {
    List<VersionSlot> all = new ArrayList<>();
    VersionSlot slot = first;
    while (slot != end) {
      all.add(slot);
      slot = required(slot.next);
    }
    all.add(end);
    return all;
  }

  /**
   * Gives neighbouring versions another order.
   *
   * @param now as they stand now, without the initial one
   */
  void reorder(List<VersionSlot> now, List<VersionSlot> order) {
    VersionSlot before = required(now.get(0).previous);
    VersionSlot after = now.get(now.size() - 1).next;
    long[] labels = now.stream().mapToLong(slot -> slot.label).toArray();
    VersionSlot previous = before;
    int i = 0;
    for (VersionSlot slot : order) {
      slot.label = labels[i++];
      slot.previous = previous;
      previous.next = slot;
      previous = slot;
    }
    previous.next = after;
    if (after == null) {
      last = previous;
    } else {
      after.previous = previous;
    }
  }

  private void label(VersionSlot slot, VersionSlot previous) {
    VersionSlot next = slot.next;
    if (next == null) {
      if (previous.label > Long.MAX_VALUE - GAP) {
        labelAll();
      } else {
        slot.label = previous.label + GAP;
      }
    } else if (next.label - previous.label < 2) {
      labelAll();
    } else {
      slot.label = previous.label + (next.label - previous.label) / 2;
    }
  }

  private void labelAll() {
    long label = 0;
    for (VersionSlot slot = this; slot != null; slot = slot.next) {
      slot.label = label;
      label += GAP;
    }
  }

  private VersionSlot required(@Nullable VersionSlot slot) {
    if (slot == null) {
      throw new IllegalStateException("the versions of " + id + " end early");
    }
    return slot;
  }
}
