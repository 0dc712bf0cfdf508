package io.isotail.incremental.certificate;

import org.jspecify.annotations.Nullable;

/** Transactions linked to one another; each is part of one list at a time. */
final class PlacedList {
  private @Nullable Placed first;
  private @Nullable Placed last;
  private int size;

  /** What a save takes of each. */
  final PlacedRows rows = new PlacedRows();

  int size() {
    return size;
  }

  @Nullable Placed first() {
    return first;
  }

  @Nullable Placed last() {
    return last;
  }

  void addLast(Placed placed) {
    insertBehind(placed, last);
  }

  /** Adds one behind all whose commit has no larger number. */
  void addByCommit(Placed placed) {
    Placed at = last;
    while (at != null && at.commit > placed.commit) {
      at = at.before;
    }
    insertBehind(placed, at);
  }

  /**
   * Adds one behind all whose commit has no larger number.
   *
   * @param from one of these, from which the place is looked for; null: from the first one on
   */
  void addByCommit(Placed placed, @Nullable Placed from) {
    Placed at = from;
    Placed next = at == null ? first : at.after;
    while (next != null && next.commit <= placed.commit) {
      at = next;
      next = next.after;
    }
    insertBehind(placed, at);
  }

  private void insertBehind(Placed placed, @Nullable Placed at) {
    Placed next = at == null ? first : at.after;
    placed.before = at;
    placed.after = next;
    if (at == null) {
      first = placed;
    } else {
      at.after = placed;
    }
    if (next == null) {
      last = placed;
    } else {
      next.before = placed;
    }
    size++;
    rows.add(placed);
  }

  void remove(Placed placed) {
    Placed before = placed.before;
    Placed after = placed.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    placed.before = null;
    placed.after = null;
    size--;
    rows.remove(placed);
  }
}
