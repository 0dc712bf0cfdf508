package io.isotail.ingest.format;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/**
 * The longest list that was read of each key. What its neighbours say of the order of versions has
 * been handed over, so that a list of n versions which is read n times costs n operations, not n².
 */
final class ElleLists {
  private final Long2ObjectOpenHashMap<LongArrayList> longest = new Long2ObjectOpenHashMap<>();

  /**
   * Where in the list that was read now the part begins of which not every pair of neighbours was
   * told before: its last place if all were, 0 if it contradicts the longest list so far.
   *
   * @param versions at least one
   */
  int firstUntold(long key, EdnValue[] versions) {
    LongArrayList known = longest.get(key);
    if (known == null) {
      known = new LongArrayList(versions.length);
      longest.put(key, known);
    }
    int common = Math.min(known.size(), versions.length);
    for (int i = 0; i < common; i++) {
      if (known.getLong(i) != versions[i].id()) {
        return 0;
      }
    }
    for (int i = common; i < versions.length; i++) {
      known.add(versions[i].id());
    }
    return versions.length <= common ? versions.length - 1 : Math.max(0, common - 1);
  }
}
