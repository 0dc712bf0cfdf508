package io.isotail.monitor.resolve;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The keys that are still looked for. */
public final class WantedKeys {
  private final Map<Long, List<HashedKey>> byId = new HashMap<>();
  private final Set<HashedKey> left = new LinkedHashSet<>();

  /** All of these. */
  public WantedKeys(List<HashedKey> keys) {
    for (HashedKey key : keys) {
      if (left.add(key)) {
        key.ids().forEach(id -> byId.computeIfAbsent(id, i -> new ArrayList<>()).add(key));
      }
    }
  }

  /** Those not found, in the order given. */
  public List<HashedKey> left() {
    return List.copyOf(left);
  }

  /** Whether one could be in a table of this name. */
  boolean anyIn(String table) {
    return left.stream().anyMatch(key -> mayBeIn(key, table));
  }

  /** Takes out those with this hash that can be in this table. */
  List<HashedKey> take(String table, long id) {
    List<HashedKey> candidates = byId.get(id);
    if (candidates == null) {
      return List.of();
    }
    List<HashedKey> taken = new ArrayList<>();
    for (HashedKey key : candidates) {
      if (mayBeIn(key, table) && left.remove(key)) {
        taken.add(key);
      }
    }
    return taken;
  }

  private static boolean mayBeIn(HashedKey key, String table) {
    return key.table() == null || key.table().equals(table);
  }
}
