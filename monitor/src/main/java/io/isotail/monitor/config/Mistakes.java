package io.isotail.monitor.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The mistakes of one configuration, each once and in the order found. */
final class Mistakes {
  private final Set<String> found = new LinkedHashSet<>();

  /** Adds a mistake, which names the setting, its value and what was expected. */
  void add(String mistake) {
    found.add(mistake);
  }

  int size() {
    return found.size();
  }

  List<String> all() {
    return List.copyOf(found);
  }
}
