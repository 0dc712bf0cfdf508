package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/** A set of keys that, once it is full, holds every key. */
final class BoundedKeys {
  /** Keys that are remembered one by one. */
  static final int MAX_KEYS = 1_000_000;

  private final LongOpenHashSet keys = new LongOpenHashSet();
  private boolean all;

  void add(long key) {
    if (keys.size() < MAX_KEYS) {
      keys.add(key);
    } else if (!keys.contains(key)) {
      all = true;
    }
  }

  boolean isEmpty() {
    return keys.isEmpty();
  }

  boolean contains(long key) {
    return all || keys.contains(key);
  }

  void save(StateWriter out) {
    out.set(keys.toLongArray());
    out.flag(all);
  }

  void load(StateReader in) {
    for (long key : in.set()) {
      keys.add(key);
    }
    all = in.flag();
  }
}
