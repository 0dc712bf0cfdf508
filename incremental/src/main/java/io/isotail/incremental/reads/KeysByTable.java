package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bounded set of keys, by table. Once it is full, the table with the most keys counts as a whole,
 * and its keys are let go: so a queue table that deletes millions of rows leaves no doubt about the
 * others. Tables beyond a bound share one place, as do keys whose table is not known.
 */
final class KeysByTable {
  private static final String OTHERS = "";

  private final int mostKeys;
  private final Map<String, LongOpenHashSet> keys = new LinkedHashMap<>();
  private final Set<String> whole = new HashSet<>();
  private int size;

  /** An empty set of at most so many keys. */
  KeysByTable(int mostKeys) {
    this.mostKeys = mostKeys;
  }

  void add(@Nullable String table, long key) {
    String place = placeOf(table);
    if (whole.contains(place)) {
      return;
    }
    if (keys.computeIfAbsent(place, t -> new LongOpenHashSet()).add(key) && ++size > mostKeys) {
      letGoOfLargest();
    }
  }

  private String placeOf(@Nullable String table) {
    boolean known = table != null && (keys.containsKey(table) || whole.contains(table));
    boolean room = keys.size() + whole.size() < UnseenEffects.MAX_TABLES;
    return table != null && (known || room) ? table : OTHERS;
  }

  private void letGoOfLargest() {
    String largest = OTHERS;
    int most = 0;
    for (Map.Entry<String, LongOpenHashSet> entry : keys.entrySet()) {
      if (entry.getValue().size() > most) {
        most = entry.getValue().size();
        largest = entry.getKey();
      }
    }
    keys.remove(largest);
    whole.add(largest);
    size -= most;
  }

  boolean isEmpty() {
    return keys.isEmpty() && whole.isEmpty();
  }

  /** Whether it holds the key; for want of a table, whether it holds it in any. */
  boolean contains(@Nullable String table, long key) {
    if (isEmpty()) {
      return false;
    }
    if (table != null) {
      return holds(table, key) || holds(OTHERS, key);
    }
    return !whole.isEmpty() || keys.values().stream().anyMatch(ofTable -> ofTable.contains(key));
  }

  private boolean holds(String table, long key) {
    LongOpenHashSet ofTable = keys.get(table);
    return whole.contains(table) || (ofTable != null && ofTable.contains(key));
  }

  void save(StateWriter out) {
    out.count(keys.size());
    keys.forEach(
        (table, ofTable) -> {
          out.text(table);
          out.set(ofTable.toLongArray());
        });
    out.set(whole);
  }

  void load(StateReader in) {
    for (int tables = in.count(); tables > 0; tables--) {
      LongOpenHashSet ofTable = new LongOpenHashSet();
      keys.put(in.requiredText(), ofTable);
      for (long key : in.set()) {
        ofTable.add(key);
      }
      size += ofTable.size();
    }
    for (int tables = in.count(); tables > 0; tables--) {
      whole.add(in.requiredText());
    }
  }
}
