package io.isotail.junit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Copies of tables of PostgreSQL in a schema of its own: rows, keys and checks, with sequences of
 * their own; without triggers and foreign keys.
 *
 * <p>Bound: {@link #MOST_ROWS} of each table.
 */
final class CopiedTables {
  private static final int MOST_ROWS = 50_000;
  private static final int ROOM = 1_000;

  private final Connection connection;
  private final String schema = "isotail_forecast_" + UUID.randomUUID().toString().substring(0, 8);
  private final List<String> names = new ArrayList<>();
  private final List<String> path;
  private final List<Pattern> schemas;

  private CopiedTables(Connection connection, List<String> path, List<Pattern> schemas) {
    this.connection = connection;
    this.path = path;
    this.schemas = schemas;
  }

  /**
   * Copies tables as a transaction sees them, and commits it. What is no plain table, or too large,
   * is not copied.
   *
   * @param connection with that transaction; from then on it is used for the copies alone
   */
  static CopiedTables ofOriginals(Connection connection, Collection<String> tables)
      throws SQLException {
    List<Pattern> schemas = new ArrayList<>();
    for (String name :
        texts(connection, "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_'")) {
      String quoted = Pattern.quote(name);
      schemas.add(Pattern.compile("(?i)(?<![\\w\"])(%s|\"%s\")\\s*\\.".formatted(quoted, quoted)));
    }
    CopiedTables copies =
        new CopiedTables(
            connection,
            texts(connection, "SELECT quote_ident(s) FROM unnest(current_schemas(false)) s"),
            schemas);
    copies.execute("CREATE SCHEMA " + copies.schema);
    for (String table : tables) {
      String from = copies.original(table);
      if (from != null) {
        copies.copy(from);
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
    return copies;
  }

  /** Copies of these copies. */
  CopiedTables again() throws SQLException {
    CopiedTables copies = new CopiedTables(connection, path, schemas);
    copies.execute("CREATE SCHEMA " + copies.schema);
    for (String name : names) {
      copies.copy(schema + "." + name);
    }
    return copies;
  }

  /** Whether a table, by the name that records have for it, is copied. */
  boolean has(String table) {
    String last = table.substring(table.lastIndexOf('.') + 1);
    return names.contains(last) || names.contains('"' + last + '"');
  }

  /** The schemas in which names are looked for. */
  String searchPath() {
    return schema + (path.isEmpty() ? "" : ", " + String.join(", ", path));
  }

  /** Whether a text may name a table of a certain schema, which is not copied. */
  boolean isNamedWithSchema(String text) {
    return schemas.stream().anyMatch(pattern -> pattern.matcher(text).find());
  }

  /** Removes them. */
  void drop() throws SQLException {
    execute("DROP SCHEMA IF EXISTS %s CASCADE".formatted(schema));
  }

  /** The table with its schema; null if it is none that can be copied. */
  private @Nullable String original(String table) throws SQLException {
    try (PreparedStatement find =
        connection.prepareStatement(
            """
            SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname)
            FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = to_regclass(?) AND c.relkind = 'r'
            """)) {
      find.setString(1, table);
      try (ResultSet row = find.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        String from = row.getString(1);
        String rows =
            "SELECT count(*) FROM (SELECT FROM %s LIMIT %d) r".formatted(from, MOST_ROWS + 1);
        return Long.parseLong(texts(connection, rows).get(0)) > MOST_ROWS ? null : from;
      }
    }
  }

  private void copy(String from) throws SQLException {
    String name = from.substring(from.indexOf('.') + 1);
    String to = schema + "." + name;
    names.add(name);
    execute("CREATE TABLE %s (LIKE %s INCLUDING ALL)".formatted(to, from));
    String columns =
        String.join(
            ", ",
            texts(
                connection,
                """
                SELECT quote_ident(attname) FROM pg_catalog.pg_attribute
                WHERE attrelid = '%s'::regclass AND attnum > 0 AND NOT attisdropped
                AND attgenerated = '' ORDER BY attnum
                """
                    .formatted(from.replace("'", "''"))));
    execute(
        "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM %s"
            .formatted(to, columns, columns, from));
    ownSequences(to);
  }

  /** Numbers for new rows come from sequences of the copy. */
  private void ownSequences(String table) throws SQLException {
    String literal = table.replace("'", "''");
    for (String column :
        texts(
            connection,
            "SELECT quote_ident(attname) FROM pg_catalog.pg_attribute WHERE attrelid ="
                + " '%s'::regclass AND attidentity <> ''".formatted(literal))) {
      execute(
          "ALTER TABLE %s ALTER COLUMN %s RESTART WITH %d"
              .formatted(table, column, next(table, column)));
    }
    for (String column :
        texts(
            connection,
            """
            SELECT quote_ident(a.attname) FROM pg_catalog.pg_attribute a
            JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE a.attrelid = '%s'::regclass
            AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%%'
            """
                .formatted(literal))) {
      String sequence = "%s.s_%s".formatted(schema, UUID.randomUUID().toString().substring(0, 8));
      execute("CREATE SEQUENCE %s START WITH %d".formatted(sequence, next(table, column)));
      execute(
          "ALTER TABLE %s ALTER COLUMN %s SET DEFAULT nextval('%s')"
              .formatted(table, column, sequence));
    }
  }

  private long next(String table, String column) throws SQLException {
    String most = "SELECT coalesce(max(%s)::bigint, 0) FROM %s".formatted(column, table);
    return Long.parseLong(texts(connection, most).get(0)) + ROOM;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
