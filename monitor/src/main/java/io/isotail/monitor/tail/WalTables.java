package io.isotail.monitor.tail;

import io.isotail.ingest.capture.PostgresCatalog;
import io.isotail.ingest.sql.ObservedTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a PostgreSQL database that the driver observes, and which of them the log can tell.
 * Immutable.
 *
 * @param told by schema and name, those of which the publication tells every change
 * @param addable names, quoted, of those that the publication could tell as well
 * @param why of all others, by their names in records: why the log cannot tell them
 */
record WalTables(Map<String, ObservedTable> told, Set<String> addable, Map<String, String> why) {
  /**
   * The columns of each table by which the log tells a row that was changed or removed, comma
   * behind comma, or {@code *} for all; of a table with partitions what holds of each of them. Then
   * whether it is logged at all, and what the publication tells of it.
   */
  private static final String IDENTITIES =
      """
      WITH leaf AS (
        SELECT c.oid AS root, coalesce(p.relid, c.oid) AS id
        FROM pg_catalog.pg_class c
        LEFT JOIN LATERAL pg_catalog.pg_partition_tree(c.oid) p ON c.relkind = 'p' AND p.isleaf
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      ), identity AS (
        SELECT l.root, c.relpersistence = 'p' AS logged, CASE c.relreplident
          WHEN 'f' THEN '*'
          WHEN 'n' THEN NULL
          ELSE (
            SELECT pg_catalog.string_agg(a.attname::text, ',' ORDER BY a.attname::text)
            FROM pg_catalog.pg_index i
            JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid
              AND a.attnum = ANY ((i.indkey::smallint[])[0:i.indnkeyatts - 1])
            WHERE i.indrelid = c.oid AND i.indimmediate AND i.indisvalid
              AND CASE c.relreplident WHEN 'd' THEN i.indisprimary ELSE i.indisreplident END)
          END AS columns
        FROM leaf l JOIN pg_catalog.pg_class c ON c.oid = l.id
      )
      SELECT n.nspname, c.relname,
        CASE WHEN pg_catalog.count(i.columns) = pg_catalog.count(*)
          AND pg_catalog.count(DISTINCT i.columns) = 1
          THEN pg_catalog.min(i.columns) END,
        CASE WHEN pg_catalog.bool_and(i.logged) THEN 'yes' ELSE 'no' END,
        pg_catalog.max(CASE WHEN t.tablename IS NULL THEN NULL
          WHEN %s THEN 'part' ELSE 'all' END)
      FROM identity i
      JOIN pg_catalog.pg_class c ON c.oid = i.root
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_publication_tables t ON t.pubname = '%s'
        AND t.schemaname = n.nspname AND t.tablename = c.relname
      GROUP BY n.nspname, c.relname
      """;

  /** Of rows or columns that are filtered; earlier versions have none of that. */
  private static final String FILTERED =
      "t.rowfilter IS NOT NULL OR pg_catalog.cardinality(t.attnames) < (SELECT pg_catalog.count(*)"
          + " FROM pg_catalog.pg_attribute f WHERE f.attrelid = c.oid AND f.attnum > 0 AND NOT"
          + " f.attisdropped AND f.attgenerated = '')";

  private static final int FIRST_WITH_FILTERS = 15;

  /** What the catalog tells of a table's place in the log. */
  private record Identity(@Nullable String columns, boolean logged, @Nullable String published) {
    boolean has(ObservedTable table) {
      String known = columns;
      return known != null
          && (known.equals("*")
              || Set.of(known.split(",", -1))
                  .containsAll(table.key().stream().map(ObservedTable.Column::name).toList()));
    }
  }

  /**
   * Asks a server.
   *
   * @param publication its name
   */
  static WalTables of(Connection connection, String publication) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    Map<String, Identity> identities = new HashMap<>();
    Map<String, ObservedTable> told = new HashMap<>();
    Set<String> addable = new TreeSet<>();
    Map<String, String> why = new TreeMap<>();
    try (Statement statement = connection.createStatement()) {
      String filtered = version < FIRST_WITH_FILTERS ? "false" : FILTERED;
      try (ResultSet rows =
          statement.executeQuery(IDENTITIES.formatted(filtered, publication.replace("'", "''")))) {
        while (rows.next()) {
          identities.put(
              name(rows.getString(1), rows.getString(2)),
              new Identity(rows.getString(3), rows.getString(4).equals("yes"), rows.getString(5)));
        }
      }
      try (ResultSet rows = statement.executeQuery(PostgresCatalog.tables())) {
        while (rows.next()) {
          ObservedTable table = PostgresCatalog.table(texts(rows));
          if (table != null) {
            String name = name(table.schemaOrPublic(), table.name());
            Identity identity = identities.get(name);
            if (identity == null || !identity.logged()) {
              why.put(table.identityName(), "it is not in the log (UNLOGGED)");
            } else if (!identity.has(table)) {
              why.put(
                  table.identityName(),
                  "its replica identity does not have the columns of its key "
                      + table.key().stream().map(ObservedTable.Column::name).toList());
            } else if (identity.published() == null) {
              addable.add(
                  ObservedTable.quoted(table.schemaOrPublic())
                      + "."
                      + ObservedTable.quoted(table.name()));
              why.put(table.identityName(), "it is not in the publication");
            } else if (identity.published().equals("part")) {
              why.put(table.identityName(), "the publication tells some rows or columns of it");
            } else {
              told.put(name, table);
            }
          }
        }
      }
    }
    return new WalTables(told, addable, why);
  }

  /** A name that no other table has. */
  static String name(String schema, String table) {
    return ObservedTable.quoted(schema) + "." + ObservedTable.quoted(table);
  }

  /** Names in records. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    told.values().forEach(table -> names.add(table.identityName()));
    return names;
  }

  private static List<@Nullable String> texts(ResultSet rows) throws SQLException {
    int count = rows.getMetaData().getColumnCount();
    List<@Nullable String> texts = new ArrayList<>(count);
    for (int i = 1; i <= count; i++) {
      texts.add(rows.getString(i));
    }
    return texts;
  }
}
