package io.isotail.incremental.reads;

import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Version;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import org.jspecify.annotations.Nullable;

/**
 * A hash map from key and version to an object, by linear probing: the two longs lie side by side,
 * so that a lookup touches two lines of memory.
 */
final class VersionMap {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final int FIRST_CAPACITY = 64;
  private static final int MAX_CAPACITY_BITS = 29;

  private long[] names = new long[2 * FIRST_CAPACITY];
  private @Nullable Object[] entries = new Object[FIRST_CAPACITY];
  private int size;

  /** The entries that are more than a writer, in the order in which they came. */
  private final ReferenceLinkedOpenHashSet<Version> versions = new ReferenceLinkedOpenHashSet<>();

  /** What is being saved, and wants to know of each entry before it changes; null if nothing is. */
  private @Nullable VersionMapCut cut;

  /** Number of entries. */
  int size() {
    return size;
  }

  /** The entry, or null. */
  @Nullable Object get(long key, long version) {
    int mask = entries.length - 1;
    int i = place(key, version, mask);
    while (true) {
      Object entry = entries[i];
      if (entry == null || (names[2 * i] == key && names[2 * i + 1] == version)) {
        return entry;
      }
      i = (i + 1) & mask;
    }
  }

  /** Reads the memory that a lookup begins with; what it returns means nothing. */
  int prefetch(long key, long version) {
    int i = place(key, version, entries.length - 1);
    return (int) names[2 * i] + (entries[i] == null ? 0 : 1);
  }

  /** The entry that is most likely that of a version; any entry, or null, otherwise. */
  @Nullable Object guess(long key, long version) {
    return entries[place(key, version, entries.length - 1)];
  }

  /** Enters {@code entry} unless there is one; returns the one that was there, or null. */
  @Nullable Object putIfAbsent(long key, long version, Object entry) {
    int mask = entries.length - 1;
    int i = place(key, version, mask);
    while (entries[i] != null) {
      if (names[2 * i] == key && names[2 * i + 1] == version) {
        return entries[i];
      }
      i = (i + 1) & mask;
    }
    enter(i, key, version, entry);
    return null;
  }

  /** Enters a version in the place of what was there. */
  void put(Version entry) {
    versions.add(entry);
    put(entry.key, entry.version, entry);
  }

  private void put(long key, long version, Object entry) {
    int mask = entries.length - 1;
    int i = place(key, version, mask);
    while (entries[i] != null) {
      if (names[2 * i] == key && names[2 * i + 1] == version) {
        change(i);
        entries[i] = entry;
        return;
      }
      i = (i + 1) & mask;
    }
    enter(i, key, version, entry);
  }

  /** Takes an entry out. */
  void remove(long key, long version) {
    int mask = entries.length - 1;
    int i = place(key, version, mask);
    while (true) {
      if (entries[i] == null) {
        return;
      }
      if (names[2 * i] == key && names[2 * i + 1] == version) {
        break;
      }
      i = (i + 1) & mask;
    }
    size--;
    if (entries[i] instanceof Version gone) {
      versions.remove(gone);
    }
    // What follows moves up, unless it would then stand before its place.
    int hole = i;
    for (int j = (i + 1) & mask; entries[j] != null; j = (j + 1) & mask) {
      int home = place(names[2 * j], names[2 * j + 1], mask);
      if (((j - home) & mask) >= ((j - hole) & mask)) {
        change(hole);
        names[2 * hole] = names[2 * j];
        names[2 * hole + 1] = names[2 * j + 1];
        entries[hole] = entries[j];
        hole = j;
      }
    }
    change(hole);
    entries[hole] = null;
    names[2 * hole] = 0;
    names[2 * hole + 1] = 0;
  }

  private void change(int i) {
    if (cut != null && !cut.keep(i)) {
      cut = null;
    }
  }

  private void enter(int i, long key, long version, Object entry) {
    change(i);
    names[2 * i] = key;
    names[2 * i + 1] = version;
    entries[i] = entry;
    size++;
    if (size > entries.length - (entries.length >> 2) - (entries.length >> 3)) {
      grow();
    }
  }

  private void grow() {
    cut = null; // which has the arrays that are left behind
    long[] oldNames = names;
    @Nullable Object[] old = entries;
    int mask = old.length * 2 - 1;
    names = new long[old.length * 4];
    entries = new Object[old.length * 2];
    for (int j = 0; j < old.length; j++) {
      Object entry = old[j];
      if (entry != null) {
        int i = place(oldNames[2 * j], oldNames[2 * j + 1], mask);
        while (entries[i] != null) {
          i = (i + 1) & mask;
        }
        names[2 * i] = oldNames[2 * j];
        names[2 * i + 1] = oldNames[2 * j + 1];
        entries[i] = entry;
      }
    }
  }

  private static int place(long key, long version, int mask) {
    return (int) HashCommon.mix(key * GOLDEN + version) & mask;
  }

  /**
   * Saves the entries as they are; what they are is copied when they are written, or when they
   * change before that.
   */
  void save(GraphWriter out) {
    out.out.count(versions.size());
    versions.forEach(out::version);
    VersionMapCut made = new VersionMapCut(names, entries, size);
    cut = made;
    out.out.later(made);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader in) {
    for (int n = in.in.count(); n > 0; n--) {
      versions.add(in.version());
    }
    int bits = in.in.count();
    int n = in.in.count();
    in.in.require(
        bits <= MAX_CAPACITY_BITS && n < (1 << bits), "%d versions in 2^%d".formatted(n, bits));
    names = new long[2 << bits];
    entries = new Object[1 << bits];
    for (int k = 0; k < n; k++) {
      if (in.in.flag()) {
        put(in.in.number(), in.in.number(), in.transaction());
      } else {
        put(in.version());
      }
    }
    in.in.require(size == n && entries.length == 1 << bits, "versions are equal");
  }
}
