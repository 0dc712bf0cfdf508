package io.isotail.junit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Copies of tables of PostgreSQL in a schema of its own: rows, keys and checks, with sequences of
 * their own, and foreign keys among them; without triggers, rules and policies.
 *
 * <p>Bound: {@link #MOST_ROWS} of each table, {@link #MOST_TABLES}.
 */
final class CopiedTables {
  private static final int MOST_ROWS = 50_000;
  private static final int MOST_TABLES = 200;
  private static final int ROOM = 1_000;

  private final Connection connection;
  private final String schema = "isotail_forecast_" + UUID.randomUUID().toString().substring(0, 8);
  private final List<String> names = new ArrayList<>();
  private final List<ForeignKey> keys = new ArrayList<>();
  private final Map<String, String> missing = new HashMap<>();

  /** Of tables whose rows others may refer to that are not copied. */
  private final Map<String, String> referredTo = new HashMap<>();

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
    copies.dropLeft();
    copies.execute("CREATE SCHEMA " + copies.schema);
    copies.execute(
        "COMMENT ON SCHEMA %s IS 'copies of a test, by the backend %s'"
            .formatted(copies.schema, texts(connection, "SELECT pg_backend_pid()").get(0)));
    Map<String, String> originals = new LinkedHashMap<>();
    for (String table : tables) {
      String from = originals.size() < MOST_TABLES ? copies.original(table) : null;
      if (from != null) {
        originals.putIfAbsent(from.substring(from.indexOf('.') + 1), from);
      }
    }
    for (String from : originals.values()) {
      copies.copy(from);
    }
    copies.addKeys(copies.keysOf(originals));
    connection.commit();
    connection.setAutoCommit(true);
    return copies;
  }

  /**
   * Copies of some of these copies, and of what their foreign keys refer to.
   *
   * @param cleared those of them from which rows are removed: what refers to them is copied too
   */
  CopiedTables again(Collection<String> tables, Collection<String> cleared) throws SQLException {
    CopiedTables copies = new CopiedTables(connection, path, schemas);
    copies.execute("CREATE SCHEMA " + copies.schema);
    try {
      Set<String> wanted = new TreeSet<>();
      tables.forEach(table -> wanted.add(name(table)));
      Set<String> without = new TreeSet<>();
      cleared.forEach(table -> without.add(name(table)));
      for (ForeignKey key : keys) {
        if (without.contains(key.to)) {
          wanted.add(key.from);
        }
      }
      for (ForeignKey key : keys) {
        if (wanted.contains(key.from)) {
          wanted.add(key.to);
        }
      }
      for (String name : names) {
        if (wanted.contains(name)) {
          copies.copy(schema + "." + name);
        }
      }
      copies.addKeys(keys);
      return copies;
    } catch (SQLException e) {
      copies.drop();
      throw e;
    }
  }

  private String name(String table) {
    String last = table.substring(table.lastIndexOf('.') + 1);
    return names.contains(last) ? last : '"' + last + '"';
  }

  /** The schema that they are in. */
  String schema() {
    return schema;
  }

  /**
   * What is missing of a table, by the name that records have for it; null if nothing is.
   *
   * @param cleared whether rows are removed from it
   */
  @Nullable String missing(String table, boolean cleared) {
    String name = name(table);
    if (!names.contains(name)) {
      return "could not be copied";
    }
    String always = missing.get(name);
    return always == null && cleared ? referredTo.get(name) : always;
  }

  /** A foreign key, by the names of its tables. */
  private record ForeignKey(String from, String to, String name, String definition) {}

  private void addKeys(List<ForeignKey> all) throws SQLException {
    for (ForeignKey key : all) {
      if (names.contains(key.from) && names.contains(key.to)) {
        keys.add(key);
        execute(
            "ALTER TABLE %s.%s ADD CONSTRAINT %s %s"
                .formatted(
                    schema,
                    key.from,
                    key.name,
                    key.definition.replaceFirst(
                        " REFERENCES [^(]+\\(",
                        Matcher.quoteReplacement(" REFERENCES %s.%s(".formatted(schema, key.to)))));
      }
    }
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

  /**
   * The foreign keys among the originals. What refers to a table that is not copied goes on to find
   * its row there; from what is referred to by such a table no row can be removed. What has
   * triggers misses something.
   */
  private List<ForeignKey> keysOf(Map<String, String> originals) throws SQLException {
    List<ForeignKey> all = new ArrayList<>();
    for (Map.Entry<String, String> original : originals.entrySet()) {
      try (PreparedStatement find =
          connection.prepareStatement(
              """
              SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname),
                quote_ident(c.relname), quote_ident(k.conname), pg_get_constraintdef(k.oid),
                k.conrelid = ?::regclass, EXISTS (SELECT FROM pg_catalog.pg_constraint p
                  WHERE p.conrelid = k.confrelid AND p.contype = 'p' AND p.conkey @> k.confkey)
              FROM pg_catalog.pg_constraint k
              JOIN pg_catalog.pg_class c
                ON c.oid = CASE WHEN k.conrelid = ?::regclass THEN k.confrelid ELSE k.conrelid END
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE k.contype = 'f' AND (k.conrelid = ?::regclass OR k.confrelid = ?::regclass)
              """)) {
        for (int i = 1; i <= 4; i++) {
          find.setString(i, original.getValue());
        }
        try (ResultSet row = find.executeQuery()) {
          while (row.next()) {
            boolean copied = row.getString(1).equals(originals.get(row.getString(2)));
            boolean refers = row.getBoolean(5);
            if (!copied && !refers) {
              // The key of a row that is captured is never changed; another column may be.
              (row.getBoolean(6) ? referredTo : missing)
                  .put(
                      original.getKey(),
                      "is what the foreign key %s of %s refers to, a table that no transaction used"
                          .formatted(row.getString(3), row.getString(2)));
            } else if (copied && refers) {
              all.add(
                  new ForeignKey(
                      original.getKey(), row.getString(2), row.getString(3), row.getString(4)));
            }
          }
        }
      }
      String literal = original.getValue().replace("'", "''");
      String others =
          """
          SELECT 1 FROM pg_catalog.pg_class c WHERE c.oid = '%1$s'::regclass AND (c.relrowsecurity
            OR c.relhasrules OR EXISTS (SELECT FROM pg_catalog.pg_trigger t
              WHERE t.tgrelid = c.oid AND NOT t.tgisinternal))
          """
              .formatted(literal);
      if (!texts(connection, others).isEmpty()) {
        missing.put(original.getKey(), "has a trigger, a rule or a policy that its copy has not");
      }
    }
    return all;
  }

  /** Removes what a process has left that ended before its tests. */
  private void dropLeft() throws SQLException {
    for (String left :
        texts(
            connection,
            """
            SELECT quote_ident(n.nspname) FROM pg_catalog.pg_namespace n
            WHERE n.nspname LIKE 'isotail\\_forecast\\_%'
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_activity a
              WHERE obj_description(n.oid, 'pg_namespace') LIKE '% backend ' || a.pid)
            AND obj_description(n.oid, 'pg_namespace') IS NOT NULL
            """)) {
      execute("DROP SCHEMA IF EXISTS %s CASCADE".formatted(left));
    }
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
