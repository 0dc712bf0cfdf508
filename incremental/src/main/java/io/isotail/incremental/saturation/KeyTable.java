package io.isotail.incremental.saturation;

import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash map from key to its writers, by linear probing. The key is in the writers' object, which
 * is needed anyway, so that a lookup touches little memory.
 */
final class KeyTable {
  private static final int FIRST_CAPACITY = 64;
  private static final int MAX_CAPACITY_BITS = 29;

  private @Nullable KeyWriters[] table = new KeyWriters[FIRST_CAPACITY];
  private int size;

  /** The writers of {@code key}, or null. */
  @Nullable KeyWriters get(long key) {
    int mask = table.length - 1;
    int i = home(key, mask);
    while (true) {
      KeyWriters entry = table[i];
      if (entry == null || entry.key == key) {
        return entry;
      }
      i = (i + 1) & mask;
    }
  }

  /** What is most likely the answer of {@link #get}; any entry, or null, otherwise. */
  @Nullable KeyWriters guess(long key) {
    return table[home(key, table.length - 1)];
  }

  /** Takes out everything. */
  void clear() {
    Arrays.fill(table, null);
    size = 0;
  }

  /** Enters the writers of a key that has none. */
  void add(KeyWriters entry) {
    insert(entry);
    size++;
    if (size > table.length / 2) {
      @Nullable KeyWriters[] old = table;
      table = new KeyWriters[old.length * 2];
      for (KeyWriters moved : old) {
        if (moved != null) {
          insert(moved);
        }
      }
    }
  }

  /** Takes out the writers of {@code key}, which are there. */
  void remove(long key) {
    int mask = table.length - 1;
    int hole = home(key, mask);
    for (KeyWriters entry = table[hole]; entry != null && entry.key != key; entry = table[hole]) {
      hole = (hole + 1) & mask;
    }
    size--;
    // What follows moves up, unless it would then stand before its place.
    int j = (hole + 1) & mask;
    for (KeyWriters entry = table[j]; entry != null; entry = table[j]) {
      if (((j - home(entry.key, mask)) & mask) >= ((j - hole) & mask)) {
        table[hole] = entry;
        hole = j;
      }
      j = (j + 1) & mask;
    }
    table[hole] = null;
  }

  private void insert(KeyWriters entry) {
    int mask = table.length - 1;
    int i = home(entry.key, mask);
    while (table[i] != null) {
      i = (i + 1) & mask;
    }
    table[i] = entry;
  }

  private static int home(long key, int mask) {
    return (int) HashCommon.mix(key) & mask;
  }

  /**
   * Saves the entries so that entering them one by one gives each its place again: from behind a
   * free place on, round to it.
   */
  void save(GraphWriter out) {
    out.out.count(Integer.numberOfTrailingZeros(table.length));
    out.out.count(size);
    int start = 0;
    while (table[start] != null) {
      start++;
    }
    for (int n = 1; n < table.length; n++) {
      KeyWriters entry = table[(start + n) & (table.length - 1)];
      if (entry != null) {
        entry.save(out);
      }
    }
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader in, WriterMemory memory) {
    int bits = in.in.count();
    int n = in.in.count();
    in.in.require(
        bits <= MAX_CAPACITY_BITS && n < (1 << bits), "%d keys in 2^%d".formatted(n, bits));
    table = new KeyWriters[1 << bits];
    for (int k = 0; k < n; k++) {
      KeyWriters entry = KeyWriters.load(in, memory);
      in.in.require(get(entry.key) == null, "keys are equal");
      add(entry);
    }
    in.in.require(table.length == 1 << bits, "%d keys in 2^%d".formatted(n, bits));
  }
}
