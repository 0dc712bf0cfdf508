package io.isotail.monitor.resolve;

import io.isotail.ingest.sql.ObservedTable;
import io.isotail.monitor.terminal.Printable;
import java.util.List;

/**
 * A table of the database whose rows are looked through.
 *
 * @param schema its schema
 * @param name its name
 * @param names the names under which the proxies may have hashed its keys; all have the same
 *     columns
 * @param versioned whether the version column is known; else it stands for nothing
 */
public record SearchTable(
    String schema, String name, List<ObservedTable> names, boolean versioned) {

  /** Schema of tables that are named without one. */
  static final String DEFAULT_SCHEMA = "public";

  /** Copies the list. */
  public SearchTable {
    names = List.copyOf(names);
  }

  /** The first of its names, by which columns are read. */
  ObservedTable first() {
    return names.get(0);
  }

  /** For people. */
  public String shown() {
    return Printable.escaped(first().identityName());
  }

  /** For a statement. */
  String quoted() {
    return quote(schema) + "." + quote(name);
  }

  static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }
}
