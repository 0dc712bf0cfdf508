package io.isotail.incremental.window;

import io.isotail.incremental.record.Operations;
import it.unimi.dsi.fastutil.ints.IntArrays;
import org.jspecify.annotations.Nullable;

/** The last operation that wrote each key, and was not undone. */
final class FinalWrites {
  private static final int SORT_BY_INSERTION = 24;

  private FinalWrites() {}

  /**
   * For each key written for good, in ascending order of the keys, the last operation that wrote
   * it; then as many zeros, which are room for the places among the writers of the keys.
   */
  static int[] of(Operations operations) {
    int n = operations.size();
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (operations.isWrite(i)) {
        count++;
      }
    }
    if (count == 0) {
      return Transaction.NO_OPERATIONS;
    }
    int[] all = new int[2 * count];
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (operations.isWrite(i)) {
        all[k++] = i;
      }
    }
    sortByKey(all, count, operations);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i + 1 == count || operations.key(all[i + 1]) != operations.key(all[i])) {
        all[distinct++] = all[i];
      }
    }
    if (distinct == count) {
      return all;
    }
    int[] writes = new int[2 * distinct];
    System.arraycopy(all, 0, writes, 0, distinct);
    return writes;
  }

  /**
   * Every operation that wrote, or may have, and was not undone; null where each key was written
   * once, with a known version, and nothing else was done to it.
   */
  static int @Nullable [] every(Operations operations, int keys) {
    int count = 0;
    boolean plain = true;
    for (int i = 0; i < operations.size(); i++) {
      if (operations.mayWrite(i)) {
        count++;
        plain &= operations.installs(i);
      }
    }
    if (plain && count == keys) {
      return null;
    }
    int[] every = new int[count];
    int k = 0;
    for (int i = 0; i < operations.size(); i++) {
      if (operations.mayWrite(i)) {
        every[k++] = i;
      }
    }
    return every;
  }

  /**
   * The last writes of each key after one more, of a key that was not written before; the others
   * keep their places.
   *
   * @param writes what {@link #of} gave, perhaps with places
   * @param added the operation that writes the key
   */
  static int[] with(int[] writes, Operations operations, int added) {
    int before = writes.length / 2;
    int at = 0;
    while (at < before && operations.key(writes[at]) < operations.key(added)) {
      at++;
    }
    int[] more = new int[writes.length + 2];
    System.arraycopy(writes, 0, more, 0, at);
    more[at] = added;
    System.arraycopy(writes, at, more, at + 1, before);
    System.arraycopy(writes, before + at, more, before + at + 2, before - at);
    return more;
  }

  /** Sorts the first {@code n} operations by key, and by place where keys are equal. */
  private static void sortByKey(int[] ops, int n, Operations operations) {
    if (n > SORT_BY_INSERTION) {
      IntArrays.mergeSort(ops, 0, n, (a, b) -> Long.compare(operations.key(a), operations.key(b)));
      return;
    }
    // Operations ascend as they come, and equal keys keep their order.
    for (int i = 1; i < n; i++) {
      int op = ops[i];
      long key = operations.key(op);
      int j = i - 1;
      while (j >= 0 && operations.key(ops[j]) > key) {
        ops[j + 1] = ops[j];
        j--;
      }
      ops[j + 1] = op;
    }
  }
}
