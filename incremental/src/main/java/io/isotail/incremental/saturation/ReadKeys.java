package io.isotail.incremental.saturation;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.Arrays;

/**
 * The reads of one transaction by key and by writer. Reused from transaction to transaction; not
 * thread-safe.
 *
 * <p>Reads whose writer has left the window are not among them: [1] Algorithms 1 to 3 infer some
 * edges only through transitivity, so a read must be taken out before anything is inferred from it,
 * not after.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class ReadKeys {
  private static final int NONE = -1;
  private static final int SCAN_AT_MOST = 16;

  /** Number of decided external reads with a writer in the window. */
  int reads;

  /** Number of distinct keys among them. */
  int keys;

  /** The distinct keys, ascending. */
  long[] key = new long[8];

  /** For each read in program order, the number of its key. */
  int[] keyOf = new int[8];

  /** For each read in program order, its writer. */
  Transaction[] writer = new Transaction[8];

  /**
   * For each key, the first read of a version; {@link #nextOfKey} leads to the first reads from
   * other writers.
   */
  int[] firstOfKey = new int[8];

  /** See {@link #firstOfKey}; negative at the end. */
  int[] nextOfKey = new int[8];

  private final ReferenceOpenHashSet<Transaction> seen = new ReferenceOpenHashSet<>();
  private long[] readKey = new long[8];
  private boolean[] ofVersion = new boolean[8];
  private int[] operation = new int[8];
  private boolean[] ofListOfNext = new boolean[8];
  private boolean[] firstFromWriter = new boolean[8];
  private boolean writersMarked;

  /** Sets up for the reads of {@code t}. */
  void load(Transaction t) {
    grow(t.readOperations.length);
    reads = 0;
    for (int i = 0; i < t.readOperations.length; i++) {
      Transaction source = t.readWriters[i];
      if (source != null && source.state != Transaction.State.TRUNCATED) {
        readKey[reads] = t.operations.key(t.readOperations[i]);
        ofVersion[reads] = t.readsVersion(i);
        operation[reads] = t.readOperations[i];
        if (reads > 0) {
          ofListOfNext[reads - 1] =
              !ofVersion[reads - 1]
                  && isOneList(t.operations, operation[reads - 1], operation[reads]);
        }
        writer[reads++] = source;
      }
    }
    System.arraycopy(readKey, 0, key, 0, reads);
    sortKeys();
    keys = 0;
    for (int i = 0; i < reads; i++) {
      if (i == 0 || key[i] != key[i - 1]) {
        key[keys++] = key[i];
      }
    }
    writersMarked = false;
    chainKeys();
  }

  /**
   * Whether the {@code r}-th read returned a version, and was not of an element before the last.
   */
  boolean ofVersion(int r) {
    return ofVersion[r];
  }

  /** Whether the {@code r}-th is an element of the same list as the next one. */
  boolean isOfListOfNext(int r) {
    return r + 1 < reads && ofListOfNext[r];
  }

  /** Whether a list shows the {@code r}-th directly before the next one. */
  boolean isListedBeforeNext(int r) {
    return isOfListOfNext(r) && operation[r + 1] == operation[r] + 1;
  }

  private static boolean isOneList(Operations ops, int first, int later) {
    for (int i = first; i < later; i++) {
      if (!ops.listedBefore(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether no read before the {@code r}-th has the same writer. */
  boolean firstFromWriter(int r) {
    if (!writersMarked) {
      markWriters();
      writersMarked = true;
    }
    return firstFromWriter[r];
  }

  /** Number of {@code wanted}, negative if it was not read. */
  int find(long wanted) {
    return Arrays.binarySearch(key, 0, keys, wanted);
  }

  /** Forgets the writers, so that nothing keeps them alive. */
  void clear() {
    Arrays.fill(writer, 0, reads, null);
  }

  private void sortKeys() {
    if (reads > SCAN_AT_MOST) {
      Arrays.sort(key, 0, reads);
      return;
    }
    for (int i = 1; i < reads; i++) {
      long moving = key[i];
      int j = i - 1;
      while (j >= 0 && key[j] > moving) {
        key[j + 1] = key[j];
        j--;
      }
      key[j + 1] = moving;
    }
  }

  private void markWriters() {
    seen.clear();
    for (int i = 0; i < reads; i++) {
      if (reads > SCAN_AT_MOST) {
        firstFromWriter[i] = seen.add(writer[i]);
        continue;
      }
      firstFromWriter[i] = true;
      for (int j = 0; j < i && firstFromWriter[i]; j++) {
        firstFromWriter[i] = writer[j] != writer[i];
      }
    }
  }

  private void chainKeys() {
    Arrays.fill(firstOfKey, 0, keys, NONE);
    for (int i = 0; i < reads; i++) {
      int k = find(readKey[i]);
      keyOf[i] = k;
      nextOfKey[i] = NONE;
      if (!ofVersion[i]) {
        continue;
      }
      int last = NONE;
      boolean repeated = false;
      for (int j = firstOfKey[k]; j != NONE; j = nextOfKey[j]) {
        repeated |= writer[j] == writer[i];
        last = j;
      }
      if (repeated) {
        continue;
      }
      if (last == NONE) {
        firstOfKey[k] = i;
      } else {
        nextOfKey[last] = i;
      }
    }
  }

  private void grow(int needed) {
    if (needed > keyOf.length) {
      int capacity = needed * 2;
      key = new long[capacity];
      readKey = new long[capacity];
      ofVersion = new boolean[capacity];
      operation = new int[capacity];
      ofListOfNext = new boolean[capacity];
      keyOf = new int[capacity];
      writer = new Transaction[capacity];
      firstFromWriter = new boolean[capacity];
      firstOfKey = new int[capacity];
      nextOfKey = new int[capacity];
    }
  }
}
