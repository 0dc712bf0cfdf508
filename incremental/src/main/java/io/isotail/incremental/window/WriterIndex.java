package io.isotail.incremental.window;

import io.isotail.incremental.config.Tuning;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/** For each key, the delivered transactions in the window that wrote it. */
public final class WriterIndex {
  private final Long2ObjectOpenHashMap<KeyWriters> byKey = new Long2ObjectOpenHashMap<>();
  private final Places scratch = new Places();
  private final KeyWriters.Memory memory;

  /** No writers yet. */
  public WriterIndex(Tuning tuning) {
    this.memory = new KeyWriters.Memory(tuning);
  }

  /** The writers of {@code key}, or null if there are none. */
  public @Nullable KeyWriters of(long key) {
    return byKey.get(key);
  }

  /** Enters a delivered transaction that has its clock. */
  public void add(Txn writer) {
    int n = writer.writeKeys.length;
    if (n == 0) {
      return;
    }
    int[] places = new int[n];
    for (int i = 0; i < n; i++) {
      KeyWriters writers = byKey.get(writer.writeKeys[i]);
      if (writers == null) {
        writers = new KeyWriters(memory);
        byKey.put(writer.writeKeys[i], writers);
      }
      places[i] = writers.add(writer, scratch);
    }
    writer.writePlaces = places;
  }

  /** Takes out a transaction that leaves the window. Called before it is stripped. */
  public void remove(Txn writer) {
    for (int i = 0; i < writer.writePlaces.length; i++) {
      long key = writer.writeKeys[i];
      KeyWriters writers = byKey.get(key);
      if (writers != null) {
        writers.remove(writer.writePlaces[i]);
        if (writers.isEmpty()) {
          byKey.remove(key);
        }
      }
    }
  }

  /** Saves the writers of each key. */
  public void save(GraphWriter out) {
    long[] keys = byKey.keySet().toLongArray();
    out.out.set(keys);
    for (long key : keys) {
      byKey.get(key).save(out);
    }
    out.out.number(memory.used());
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader in) {
    for (long key : in.in.set()) {
      byKey.put(key, KeyWriters.load(in, memory));
    }
    memory.use(in.in.number());
  }
}
