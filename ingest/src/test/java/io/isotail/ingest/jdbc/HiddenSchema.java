package io.isotail.ingest.jdbc;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.RecordingSink;
import java.sql.Connection;
import java.sql.DriverManager;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The schema of {@link ComparedStatements} on a server, and what is recorded beside its truth. */
final class HiddenSchema {
  /** Of the tables that can tell the version of a row, what names a row. */
  private static final Map<String, String> KEYS =
      Map.ofEntries(
          Map.entry("acc", "k"),
          Map.entry("pair2", "a || ',' || b"),
          Map.entry("maybe", "a || ',' || b"),
          Map.entry("doc2", "id"),
          Map.entry("serialised", "id"),
          Map.entry("\"Odd Table\"", "\"Id\""),
          Map.entry("uniq", "k"),
          Map.entry("included", "k"),
          Map.entry("part", "k"),
          Map.entry("audited", "k"),
          Map.entry("parent", "k"));

  /** Key and version of every row, in one query. */
  private static final String VERSIONS =
      KEYS.entrySet().stream()
          .map(
              table ->
                  "SELECT 'hidden.%s ' || (%s)::text, xmin::text FROM %s"
                      .formatted(
                          table.getKey().replace("\"", ""), table.getValue(), table.getKey()))
          .collect(Collectors.joining(" UNION ALL "));

  private static @Nullable Connection observer;

  private HiddenSchema() {}

  static void make() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS hidden CASCADE",
        "DROP SCHEMA IF EXISTS other CASCADE",
        "CREATE SCHEMA hidden",
        "CREATE SCHEMA other");
    try (Connection c = plain();
        Statement s = c.createStatement()) {
      for (String sql : ComparedStatements.SCHEMA) {
        s.execute(sql.replace("public.acc", "hidden.acc"));
      }
      // A function keeps its plans: planning would take half of the time.
      s.execute(
          "CREATE FUNCTION other.fill() RETURNS void LANGUAGE plpgsql AS $$ BEGIN %s; END $$"
              .formatted(String.join("; ", ComparedStatements.FILL)));
    }
  }

  /** A connection of the real driver. */
  static Connection plain() throws SQLException {
    return plain("");
  }

  /** A connection of the real driver with settings, as in {@code &a=b}. */
  static Connection plain(String settings) throws SQLException {
    return DriverManager.getConnection(
        DatabaseScenario.database.jdbcUrl() + "&currentSchema=hidden" + settings);
  }

  /** Puts the same rows into the tables. */
  static void fill() throws SQLException {
    try (Statement s = observer().createStatement()) {
      s.execute("SELECT other.fill()");
    }
  }

  /** The connection that fills and looks; a new one each time would take most of the time. */
  private static Connection observer() throws SQLException {
    if (observer == null || observer.isClosed()) {
      observer = plain();
    }
    return observer;
  }

  /** The first line that differs. */
  static String difference(List<String> expected, List<String> actual) {
    int i = 0;
    while (i < expected.size() && i < actual.size() && expected.get(i).equals(actual.get(i))) {
      i++;
    }
    return "\n    plain   %s\n    isotail %s"
        .formatted(
            i < expected.size() ? expected.get(i) : "no more",
            i < actual.size() ? actual.get(i) : "no more");
  }

  /** Key and version of every row of the tables that can tell it. */
  static Map<String, String> versions() throws SQLException {
    Map<String, String> versions = new HashMap<>();
    try (Statement s = observer().createStatement();
        ResultSet rows = s.executeQuery(VERSIONS)) {
      while (rows.next()) {
        String row = rows.getString(1);
        if (row != null) { // One of which a column of the key is NULL has no name.
          versions.put(row, rows.getString(2));
        }
      }
    }
    return versions;
  }

  /** Every row of the tables, as text, after the name of its table. */
  static List<String> rows(List<String> tables) throws SQLException {
    String query =
        tables.stream()
            .map(table -> "SELECT '%s ' || t::text FROM %s t".formatted(table, table))
            .collect(Collectors.joining(" UNION ALL ", "", " ORDER BY 1"));
    List<String> found = new ArrayList<>();
    try (Statement s = observer().createStatement();
        ResultSet rows = s.executeQuery(query)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    return found;
  }

  /**
   * Compares what was recorded with what the server had before and has after.
   *
   * @return whether rows changed, and the record names each of them and nothing more
   */
  static boolean checkRecord(
      String name,
      RecordingSink sink,
      Map<String, String> before,
      Map<String, String> after,
      List<String> wrong) {
    Map<String, String> written = new HashMap<>();
    Set<String> opaque = new HashSet<>();
    Set<String> named = new HashSet<>();
    for (TransactionRecord record : sink.records()) {
      Operations ops = record.operations();
      for (int i = 0; i < ops.size(); i++) {
        String table = ops.statement(i) == null ? null : ops.statement(i).table();
        if (ops.kind(i) == OperationKind.OPAQUE) {
          opaque.add(table == null ? "*" : table);
          continue;
        }
        String row = table + " " + ops.keyName(i);
        String version = ops.versionName(i);
        if (ops.kind(i) == OperationKind.READ) {
          boolean known = ops.versionKind(i) == VersionKind.KNOWN;
          String had = written.containsKey(row) ? written.get(row) : before.get(row);
          boolean concerns = before.containsKey(row) || after.containsKey(row) || !known;
          boolean own = known && version.equals(after.get(row));
          if (concerns && !own && (known ? !version.equals(had) : had != null)) {
            wrong.add(name + "\n    read " + row + "=" + version + " but the server had " + had);
          }
        } else if (!ops.undone(i) && ops.keyName(i) != null) {
          named.add(row);
          written.put(row, ops.kind(i) == OperationKind.DELETE ? null : version);
        }
      }
    }
    boolean exact = opaque.isEmpty();
    int changed = 0;
    Set<String> rows = new HashSet<>(before.keySet());
    rows.addAll(after.keySet());
    for (String row : rows) {
      String now = after.get(row);
      if (Objects.equals(before.get(row), now)) {
        continue;
      }
      changed++;
      String table = row.substring(0, row.lastIndexOf(' '));
      boolean doubted = opaque.contains("*") || opaque.contains(table);
      boolean told = named.contains(row) && (written.get(row) == null || now != null);
      if (!doubted && !told) {
        wrong.add(name + "\n    not recorded: " + row + " is " + now + ": " + sink.described());
      } else if (!doubted && written.get(row) != null && !written.get(row).equals(now)) {
        wrong.add(name + "\n    written " + row + "=" + written.get(row) + " but it is " + now);
      }
      exact &= told && !doubted && Objects.equals(written.get(row), now);
    }
    return exact && changed > 0;
  }
}
