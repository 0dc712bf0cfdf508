package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Window;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tables that somebody writes who is not captured, as long as the window has a transaction that has
 * read what such a one wrote.
 *
 * <p>Bound: {@link UnseenEffects#MAX_TABLES} tables; where there are more, every table counts.
 */
final class ForeignTables {
  private final Window window;

  /** By table, the place of the window that had been reached when one was read last. */
  private final TreeMap<String, Long> read = new TreeMap<>();

  ForeignTables(Window window) {
    this.window = window;
  }

  void note(@Nullable String table) {
    read.put(name(table), window.lastPlace() + 1);
    if (read.size() > UnseenEffects.MAX_TABLES) {
      read.values().removeIf(place -> place < window.oldestPlace());
    }
  }

  boolean isWritten(@Nullable String table) {
    Long place = read.get(name(table));
    return read.size() > UnseenEffects.MAX_TABLES
        || (place != null && place >= window.oldestPlace());
  }

  /** All that name no table count as one. */
  private static String name(@Nullable String table) {
    return table == null ? "" : table;
  }

  void save(StateWriter out) {
    out.count(read.size());
    for (Map.Entry<String, Long> each : read.entrySet()) {
      out.text(each.getKey());
      out.number(each.getValue());
    }
  }

  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      String table = in.requiredText();
      read.put(table, in.number());
    }
  }
}
