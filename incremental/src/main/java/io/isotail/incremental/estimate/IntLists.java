package io.isotail.incremental.estimate;

import java.util.function.IntConsumer;

/** Lists of ints, one for each number from 0, stored one behind the other. */
final class IntLists {
  /** Where each list begins in the items, and behind the last one where it ends. */
  final int[] start;

  /** Items of all lists. */
  final int[] items;

  IntLists(int[] start, int[] items) {
    this.start = start;
    this.items = items;
  }

  /** Length of a list. */
  int size(int list) {
    return start[list + 1] - start[list];
  }

  /** Names the items of a list. */
  void forEach(int list, IntConsumer action) {
    for (int i = start[list]; i < start[list + 1]; i++) {
      action.accept(items[i]);
    }
  }

  /**
   * For each item the lists that hold it, in order.
   *
   * @param bound above all items
   */
  IntLists inverse(int bound) {
    int[] starts = new int[bound + 1];
    for (int item : items) {
      starts[item + 1]++;
    }
    for (int i = 0; i < bound; i++) {
      starts[i + 1] += starts[i];
    }
    int[] lists = new int[items.length];
    int[] place = starts.clone();
    for (int list = 0; list + 1 < start.length; list++) {
      for (int i = start[list]; i < start[list + 1]; i++) {
        lists[place[items[i]]++] = list;
      }
    }
    return new IntLists(starts, lists);
  }
}
