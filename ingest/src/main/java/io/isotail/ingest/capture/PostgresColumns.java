package io.isotail.ingest.capture;

import io.isotail.ingest.capture.Catalog.Column;
import io.isotail.ingest.sql.ColumnType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The columns of all tables of a PostgreSQL database, temporary ones left out, as one query tells
 * them: a question for each of thousands of tables would take seconds. Never changes.
 */
public final class PostgresColumns {
  static final String QUERY =
      """
      SELECT n.nspname, c.relname, a.attname, t.typname, a.atttypmod
      FROM pg_catalog.pg_attribute a
      JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
      ORDER BY n.nspname, c.relname, a.attnum
      """;

  private static final int TYPE_MODIFIER_OFFSET = 4;

  /** By the tables' names, of all schemas. */
  private final Map<String, List<Column>> columns = new HashMap<>();

  private PostgresColumns(List<List<@Nullable String>> rows) {
    for (List<@Nullable String> row : rows) {
      columns.computeIfAbsent(text(row.get(1)), table -> new ArrayList<>()).add(column(row));
    }
  }

  /** Asks a server, which is not in a transaction of the application. */
  public static PostgresColumns of(Server server) throws Exception {
    String query = server.dialect().columnsQuery();
    return new PostgresColumns(query == null ? List.of() : server.rows(query));
  }

  /** As {@link Catalog#columns}. */
  public List<Column> columns(@Nullable String schema, String table) {
    return columns.getOrDefault(table, List.of()).stream()
        .filter(column -> schema == null || schema.equals(column.schema()))
        .toList();
  }

  private static Column column(List<@Nullable String> row) {
    ColumnType type = ColumnType.named(text(row.get(3)));
    int modifier = Integer.parseInt(text(row.get(4)));
    boolean limited = type == ColumnType.NUMERIC && modifier >= TYPE_MODIFIER_OFFSET;
    return new Column(
        text(row.get(0)),
        text(row.get(2)),
        type,
        limited ? (modifier - TYPE_MODIFIER_OFFSET) & 0x7ff : -1);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
