package io.isotail.junit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The histories of this process, one for each checked data source. They stay until its end. */
final class Histories {
  private static final List<CheckedHistory> ALL = new CopyOnWriteArrayList<>();

  private Histories() {}

  /** A new one. */
  static synchronized CheckedHistory begin() {
    CheckedHistory history = new CheckedHistory("test-" + (ALL.size() + 1));
    ALL.add(history);
    return history;
  }

  static List<CheckedHistory> all() {
    return ALL;
  }
}
