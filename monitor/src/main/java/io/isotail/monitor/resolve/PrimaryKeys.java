package io.isotail.monitor.resolve;

import io.isotail.ingest.sql.ObservedTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables with a primary key that the user may read, for where the list of observed tables is not at
 * hand. A partitioned table counts once.
 */
final class PrimaryKeys {
  private static final String QUESTION =
      """
      SELECT n.nspname, c.relname, a.attname
        FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k(attnum, place)
        JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
       WHERE i.indisprimary AND k.place <= i.indnkeyatts AND NOT c.relispartition
         AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
         AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
       ORDER BY n.nspname, c.relname, k.place""";

  private record Table(String schema, String name) {}

  private final Map<Table, List<ObservedTable.Column>> tables;

  private PrimaryKeys(Map<Table, List<ObservedTable.Column>> tables) {
    this.tables = tables;
  }

  static PrimaryKeys none() {
    return new PrimaryKeys(Map.of());
  }

  static PrimaryKeys read(Connection connection) throws SQLException {
    Map<Table, List<ObservedTable.Column>> tables = new LinkedHashMap<>();
    try (PreparedStatement question = connection.prepareStatement(QUESTION);
        ResultSet rows = question.executeQuery()) {
      while (rows.next()) {
        tables
            .computeIfAbsent(
                new Table(rows.getString(1), rows.getString(2)), t -> new ArrayList<>())
            .add(new ObservedTable.Column(rows.getString(3), null));
      }
    }
    return new PrimaryKeys(tables);
  }

  /** Every table, under each name that it can have been given. */
  List<SearchTable> all() {
    List<SearchTable> all = new ArrayList<>();
    tables.forEach((table, key) -> all.add(searched(table, key)));
    return all;
  }

  /** The table that {@code name} or {@code schema.name} means; empty if there is none. */
  List<SearchTable> named(String name) {
    int dot = name.indexOf('.');
    Table table =
        dot < 0
            ? new Table(SearchTable.DEFAULT_SCHEMA, name)
            : new Table(name.substring(0, dot), name.substring(dot + 1));
    List<ObservedTable.Column> key = tables.get(table);
    return key == null ? List.of() : List.of(searched(table, key));
  }

  /** Tables of the default schema may be observed with or without its name. */
  private static SearchTable searched(Table table, List<ObservedTable.Column> key) {
    List<ObservedTable> names = new ArrayList<>();
    if (table.schema().equals(SearchTable.DEFAULT_SCHEMA)) {
      names.add(new ObservedTable(null, table.name(), key, key.get(0)));
    }
    names.add(new ObservedTable(table.schema(), table.name(), key, key.get(0)));
    return new SearchTable(table.schema(), table.name(), names, false);
  }
}
