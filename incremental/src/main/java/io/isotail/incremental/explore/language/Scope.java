package io.isotail.incremental.explore.language;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The locals of a session: names and the slots that hold their values. */
final class Scope {
  private final Map<String, Integer> slots = new HashMap<>();
  private final List<Integer> hidden = new ArrayList<>();
  private int hiddenInUse;

  /** The slot of a local; a new one if it has none. */
  int slot(String name) {
    Integer known = slots.putIfAbsent(name, slots.size());
    return known == null ? slots.size() - 1 : known;
  }

  /** A local that no text can name, of the statement that is read. */
  int hidden() {
    if (hiddenInUse == hidden.size()) {
      hidden.add(slot("$" + slots.size()));
    }
    return hidden.get(hiddenInUse++);
  }

  /** Where the hidden locals of a statement begin. */
  int hiddenInUse() {
    return hiddenInUse;
  }

  /** Ends a statement: the next one may use its hidden locals. */
  void releaseHidden(int from) {
    hiddenInUse = from;
  }

  boolean has(String name) {
    return slots.containsKey(name);
  }

  int size() {
    return slots.size();
  }
}
