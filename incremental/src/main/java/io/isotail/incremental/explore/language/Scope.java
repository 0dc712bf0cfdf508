package io.isotail.incremental.explore.language;

import java.util.HashMap;
import java.util.Map;

/** The locals of a session: names and the slots that hold their values. */
final class Scope {
  private final Map<String, Integer> slots = new HashMap<>();

  /** The slot of a local; a new one if it has none. */
  int slot(String name) {
    Integer known = slots.putIfAbsent(name, slots.size());
    return known == null ? slots.size() - 1 : known;
  }

  /** A local that no text can name. */
  int hidden() {
    return slot("$" + slots.size());
  }

  boolean has(String name) {
    return slots.containsKey(name);
  }

  int size() {
    return slots.size();
  }
}
