package io.isotail.incremental.check;

import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;

/**
 * Where in the window each key was read last, as far as its versions name their writers: a write
 * that becomes known late concerns nobody who has not read its key since. One entry for each key
 * that the window has read; follows from the window, so that it is not saved.
 *
 * <p>Readers of versions that do not name their writers are counted only. While the window has any,
 * they may have read every key.
 */
final class LastReads {
  private static final long NEVER = -1;

  private final Long2LongOpenHashMap places = new Long2LongOpenHashMap();

  /** Transactions of the window that read versions which do not name their writers. */
  private int others;

  LastReads() {
    places.defaultReturnValue(NEVER);
  }

  /** A transaction has been delivered, as the last of the window. */
  void add(Transaction t) {
    others += readsOthers(t) ? 1 : 0;
    if (!t.operations.anyNamesWriters()) {
      return;
    }
    for (int read : t.readOperations) {
      if (t.operations.namesWriters(read)) {
        places.put(t.operations.key(read), t.deliveredAt);
      }
    }
  }

  /** A transaction leaves the window. */
  void remove(Transaction t) {
    others -= others > 0 && readsOthers(t) ? 1 : 0;
    if (!t.operations.anyNamesWriters()) {
      return;
    }
    for (int read : t.readOperations) {
      if (t.operations.namesWriters(read)) {
        places.remove(t.operations.key(read), t.deliveredAt);
      }
    }
  }

  /** Whether anybody who was delivered after a transaction of the window has read the key. */
  boolean anyAfter(Transaction earlier, long key) {
    return others > 0 || places.get(key) > earlier.deliveredAt;
  }

  private static boolean readsOthers(Transaction t) {
    for (int read : t.readOperations) {
      if (!t.operations.namesWriters(read)) {
        return true;
      }
    }
    return false;
  }
}
