package io.isotail.incremental.reads;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * For each key the longest list that was read from its beginning, and of which no element left a
 * doubt: who wrote each is known, was delivered, and is the only one who wrote it.
 *
 * <p>Most lists begin like the one before them. As far as they do, element by element, all is known
 * already. It is a shortcut: without it the same is found. So it is not saved, it is bounded, and
 * what is known of a key is dropped once an element is written again or forgotten.
 *
 * <p>Not thread-safe.
 */
final class KnownLists {
  /** Elements of all keys; 24 bytes each at most. */
  private static final int MOST_ELEMENTS = 1 << 20;

  /** A key takes as much memory as so many elements. */
  private static final int ELEMENTS_OF_A_KEY = 8;

  private final Long2ObjectLinkedOpenHashMap<KnownList> byKey =
      new Long2ObjectLinkedOpenHashMap<>();
  private int elements;

  /** The elements of a key behind its initial version, and who wrote them. */
  static final class KnownList {
    private long[] versions = {};
    private Transaction[] writers = {};
    private int size;

    /** How many elements from a place on, and before another, are those of this list. */
    int common(Operations ops, int start, int end) {
      int n = Math.min(size, end - start);
      for (int i = 0; i < n; i++) {
        if (ops.version(start + i) != versions[i]) {
          return i;
        }
      }
      return n;
    }

    /** Of the first elements, those before the last transaction that appended one of them. */
    int wholeGroups(int n) {
      int whole = n;
      while (whole > 0 && writers[whole - 1] == writers[n - 1]) {
        whole--;
      }
      return whole;
    }

    /** Copies the writers of the first elements. */
    void copyWriters(int n, @Nullable Transaction[] to, int at) {
      System.arraycopy(writers, 0, to, at, n);
    }

    private void take(Operations ops, int start, @Nullable Transaction[] of, int at, int n) {
      if (versions.length < n) {
        versions = Arrays.copyOf(versions, Math.max(n, 2 * versions.length));
        writers = Arrays.copyOf(writers, versions.length);
      }
      for (int i = 0; i < n; i++) {
        versions[i] = ops.version(start + i);
      }
      System.arraycopy(of, at, writers, 0, n);
      size = n;
    }
  }

  /** What is known of a key; null if nothing is. */
  @Nullable KnownList of(long key) {
    return byKey.get(key);
  }

  /**
   * How many operations from one on read elements that leave nothing to be found out.
   *
   * @param i an operation, any one
   */
  int common(Operations ops, int i) {
    if (ops.kind(i) != OperationKind.LISTED || ops.versionKind(i) != VersionKind.INITIAL) {
      return 0;
    }
    KnownList known = byKey.get(ops.key(i));
    return known == null ? 0 : known.common(ops, i + 1, ops.listEnd(i) + 1);
  }

  /**
   * A list was read from its beginning, and nothing about it is in doubt.
   *
   * @param start its first element
   * @param n how many it has, own appends of the reader left out
   * @param writers who wrote them, from the place {@code at} on
   */
  void note(Operations ops, int start, int n, @Nullable Transaction[] writers, int at) {
    long key = ops.key(start);
    KnownList known = byKey.getAndMoveToLast(key);
    if (known == null) {
      known = new KnownList();
      byKey.put(key, known);
      elements += ELEMENTS_OF_A_KEY;
    }
    if (n > known.size) {
      elements += n - known.size;
      known.take(ops, start, writers, at, n);
    }
    while (elements > MOST_ELEMENTS) {
      elements -= byKey.removeFirst().size + ELEMENTS_OF_A_KEY;
    }
  }

  /** An element of a key is written once more, or forgotten. */
  void forget(long key) {
    if (!byKey.isEmpty()) {
      KnownList known = byKey.remove(key);
      elements -= known == null ? 0 : known.size + ELEMENTS_OF_A_KEY;
    }
  }
}
