package io.isotail.ingest.generate;

import java.util.Arrays;

/** The last version that a transaction wrote to each key. */
final class WriteSet {
  private int[] keys = new int[8];
  private long[] versions = new long[8];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  int key(int i) {
    return keys[i];
  }

  long version(int i) {
    return versions[i];
  }

  /** The version written to the key, or {@link SimulatedStore#INITIAL}. */
  long get(int key) {
    int at = find(key);
    return at < 0 ? SimulatedStore.INITIAL : versions[at];
  }

  void put(int key, long version) {
    int at = find(key);
    if (at >= 0) {
      versions[at] = version;
      return;
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
      versions = Arrays.copyOf(versions, size * 2);
    }
    keys[size] = key;
    versions[size++] = version;
  }

  int[] keys() {
    return Arrays.copyOf(keys, size);
  }

  long[] versions() {
    return Arrays.copyOf(versions, size);
  }

  /** Transactions are short: a scan beats a hash. */
  private int find(int key) {
    for (int i = 0; i < size; i++) {
      if (keys[i] == key) {
        return i;
      }
    }
    return -1;
  }
}
