package io.isotail.incremental.window;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/** For each key, the delivered transactions in the window that wrote it. */
public final class WriterIndex {
  private final Long2ObjectOpenHashMap<KeyWriters> byKey = new Long2ObjectOpenHashMap<>();

  /** The writers of {@code key}, or null if there are none. */
  public @Nullable KeyWriters of(long key) {
    return byKey.get(key);
  }

  /** Enters a delivered transaction. */
  public void add(Txn writer) {
    for (long key : writer.writeKeys) {
      KeyWriters writers = byKey.get(key);
      if (writers == null) {
        writers = new KeyWriters();
        byKey.put(key, writers);
      }
      writers.add(writer);
    }
  }

  /** Takes out a transaction that leaves the window. Called before it is stripped. */
  public void remove(Txn writer) {
    for (long key : writer.writeKeys) {
      KeyWriters writers = byKey.get(key);
      if (writers != null) {
        writers.remove(writer);
        if (writers.size() == 0) {
          byKey.remove(key);
        }
      }
    }
  }
}
