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
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a PostgreSQL database that the driver observes, and which of them the log can tell.
 * Immutable.
 *
 * @param told by schema and name, those of which the publication tells every change
 * @param forms of each of these, by its name in records: what makes it this table, in one word
 * @param oids of these in the catalog
 * @param addable oids, by quoted names, of those that the publication could tell as well
 * @param why of all others, by their names in records: why the log cannot tell them
 */
record WalTables(
    Map<String, ObservedTable> told,
    Map<String, String> forms,
    Set<String> oids,
    Map<String, String> addable,
    Map<String, String> why) {
  /**
   * The columns of each table by which the log tells a row that was changed or removed, comma
   * behind comma, or {@code *} for all; of a table with partitions what holds of each of them. Then
   * whether it is logged at all, and what the publication tells of it.
   */
  private static final String IDENTITIES =
      """
      WITH leaf AS (
        SELECT c.oid AS root, COALESCE(p.relid, c.oid) AS id, r.oid AS added
        FROM pg_catalog.pg_class c
        LEFT JOIN pg_catalog.pg_publication_rel r ON r.prrelid = c.oid
          AND r.prpubid = (SELECT u.oid FROM pg_catalog.pg_publication u WHERE u.pubname = '%1$s')
        LEFT JOIN LATERAL pg_catalog.pg_partition_tree(c.oid) p ON c.relkind = 'p' AND p.isleaf
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
      ), identity AS (
        SELECT l.root, c.relpersistence = 'p' AS logged,
          pg_catalog.concat_ws('.', l.added, c.oid, pg_catalog.pg_relation_filenode(c.oid), c.relreplident, (
            SELECT r.indexrelid FROM pg_catalog.pg_index r
            WHERE r.indrelid = c.oid AND r.indisreplident LIMIT 1)) AS form,
          CASE c.relreplident
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
          WHEN %2$s THEN 'part' ELSE 'all' END),
        pg_catalog.md5(pg_catalog.string_agg(i.form, ',' ORDER BY i.form)),
        CASE WHEN pg_catalog.pg_has_role(c.relowner, 'USAGE') THEN 'yes' ELSE 'no' END, i.root
      FROM identity i
      JOIN pg_catalog.pg_class c ON c.oid = i.root
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_catalog.pg_publication_tables t ON t.pubname = '%1$s'
        AND t.schemaname = n.nspname AND t.tablename = c.relname
      GROUP BY n.nspname, c.relname, c.relowner, i.root
      """;

  /** Of rows or columns that are filtered; earlier versions have none of that. */
  private static final String FILTERED =
      "t.rowfilter IS NOT NULL OR pg_catalog.cardinality(t.attnames) < (SELECT pg_catalog.count(*)"
          + " FROM pg_catalog.pg_attribute f WHERE f.attrelid = c.oid AND f.attnum > 0 AND NOT"
          + " f.attisdropped AND f.attgenerated = '')";

  /** The first version whose publications filter rows and columns. */
  static final int FIRST_WITH_FILTERS = 15;

  /** What the catalog tells of a table's place in the log. */
  private record Identity(
      @Nullable String columns,
      boolean logged,
      @Nullable String published,
      String form,
      boolean owned,
      String oid) {
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
    Map<String, String> forms = new HashMap<>();
    Set<String> oids = new HashSet<>();
    Map<String, String> addable = new TreeMap<>();
    Map<String, String> why = new TreeMap<>();
    try (Statement statement = connection.createStatement()) {
      String filtered = version < FIRST_WITH_FILTERS ? "false" : FILTERED;
      try (ResultSet rows =
          statement.executeQuery(IDENTITIES.formatted(publication.replace("'", "''"), filtered))) {
        while (rows.next()) {
          identities.put(
              name(rows.getString(1), rows.getString(2)),
              new Identity(
                  rows.getString(3),
                  rows.getString(4).equals("yes"),
                  rows.getString(5),
                  rows.getString(6),
                  rows.getString(7).equals("yes"),
                  rows.getString(8)));
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
            } else if (identity.published() == null && !identity.owned()) {
              why.put(table.identityName(), "it is not in the publication, and of another owner");
            } else if (identity.published() == null) {
              addable.put(name, identity.oid());
              why.put(table.identityName(), "it is not in the publication");
            } else if (identity.published().equals("part")) {
              why.put(table.identityName(), "the publication tells some rows or columns of it");
            } else {
              told.put(name, table);
              oids.add(identity.oid());
              forms.put(table.identityName(), identity.form() + table);
            }
          }
        }
      }
    }
    return new WalTables(told, forms, oids, addable, why);
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

  /** Names in records of those that are other tables now, are told no more, or are told newly. */
  Set<String> othersIn(WalTables now) {
    Set<String> names = new HashSet<>(forms.keySet());
    names.addAll(now.forms.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(forms.get(name), now.forms.get(name)))
        .collect(Collectors.toSet());
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
