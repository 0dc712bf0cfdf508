package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's table of what each database is held to says what the code does. */
class DocumentedLevelsTest {
  private static final String HEADING = "## What each database is held to";
  private static final String RULED = "|---|---|---|---|";
  private static final Set<DatabaseIsolation> ALL =
      EnumSet.complementOf(EnumSet.of(DatabaseIsolation.DEFAULT));

  /**
   * A database in a state that decides what it documents.
   *
   * @param inTable its name in the table
   * @param product its name by its driver
   * @param state what the table calls the state; empty if there is but one
   * @param told what it answers when it is asked for it; null if it does not know the question
   * @param levels the levels that it has
   */
  private record Database(
      String inTable, String product, String state, String told, Set<DatabaseIsolation> levels) {}

  private static final String SNAPSHOT = "with `innodb_snapshot_isolation`";

  private static final List<Database> DATABASES =
      List.of(
          new Database("PostgreSQL", "PostgreSQL", "", null, ALL),
          new Database("MariaDB", "MariaDB", "", null, ALL),
          new Database("MariaDB", "MariaDB", SNAPSHOT, "1", ALL),
          new Database("MySQL", "MySQL", "", "0", ALL),
          new Database("MySQL", "MySQL", SNAPSHOT, "1", ALL),
          new Database("H2", "H2", "", null, ALL),
          new Database("HSQLDB", "HSQL Database Engine", "with locks", "LOCKS", ALL),
          new Database("HSQLDB", "HSQL Database Engine", "MVCC", "MVCC", ALL),
          new Database("Derby", "Apache Derby", "", null, ALL),
          new Database(
              "SQLite",
              "SQLite",
              "",
              null,
              EnumSet.of(DatabaseIsolation.READ_UNCOMMITTED, DatabaseIsolation.SERIALIZABLE)),
          new Database("Firebird", "Firebird 3.0", "", null, ALL),
          new Database(
              "DuckDB", "DuckDB", "", null, EnumSet.of(DatabaseIsolation.REPEATABLE_READ)));

  @Test
  void theGuidesTableSaysWhatTheCodeDoes() throws Exception {
    List<Row> rows = rows();
    Map<String, String> documented = new TreeMap<>();
    Map<String, String> held = new TreeMap<>();
    for (Database database : DATABASES) {
      for (DatabaseIsolation isolation : database.levels()) {
        String name = "%s %s %s".formatted(database.product(), isolation, database.state());
        documented.put(name, documented(rows, database, isolation));
        IsolationLevel level = DocumentedLevels.of(connection(database, isolation), isolation);
        held.put(name, level == null ? "nothing" : level.label());
        assertThat(DocumentedLevels.of(connection(database, isolation), DatabaseIsolation.DEFAULT))
            .as("%s, as the connection is", name)
            .isEqualTo(level);
      }
    }
    assertThat(held).isEqualTo(documented);
    assertThat(rows).as("rows that no database of this test is in").allMatch(row -> row.used[0]);
  }

  @Test
  void anUnknownDatabaseDocumentsNothing() throws Exception {
    Database oracle = new Database("Oracle", "Oracle", "", null, ALL);
    for (DatabaseIsolation isolation : DatabaseIsolation.values()) {
      assertThat(DocumentedLevels.of(connection(oracle, DatabaseIsolation.SERIALIZABLE), isolation))
          .isNull();
    }
  }

  /** A row of the table, and whether it spoke of a database here. */
  private record Row(Set<String> databases, String levels, String heldTo, boolean[] used) {}

  private static List<Row> rows() throws Exception {
    String guide = Files.readString(Path.of("guide/verify-database.md"));
    String section = guide.substring(guide.indexOf(HEADING));
    String table = section.substring(section.indexOf(RULED) + RULED.length());
    List<Row> rows = new ArrayList<>();
    Set<String> databases = Set.of();
    for (String line : table.strip().split("\n\n")[0].split("\n")) {
      String[] cells = line.split(Pattern.quote("|"));
      if (!cells[1].isBlank()) {
        databases = Set.of(cells[1].replace("(InnoDB)", "").strip().split(", "));
      }
      rows.add(new Row(databases, cells[2].strip(), cells[3].strip(), new boolean[1]));
    }
    return rows;
  }

  /** A row of the level by name goes before "others", one of the state before one of any. */
  private static String documented(List<Row> rows, Database database, DatabaseIsolation isolation) {
    if (isolation == DatabaseIsolation.READ_UNCOMMITTED
        && !database.inTable().equals("PostgreSQL")) {
      return "nothing"; // The sentence below the table.
    }
    String level = isolation.label().replace('-', ' ');
    String others = database.levels().size() == 1 ? "its only one" : "others";
    String found = null;
    for (String wanted : List.of(level, others)) {
      for (String state : List.of(database.state(), "")) {
        for (Row row : rows) {
          if (found == null
              && row.databases().contains(database.inTable())
              && isOf(row.levels(), wanted, state)) {
            row.used()[0] = true;
            found = row.heldTo();
          }
        }
      }
    }
    return found == null ? "no row" : found;
  }

  private static boolean isOf(String levels, String wanted, String state) {
    if (!state.isEmpty() && !levels.endsWith(state)) {
      return false;
    }
    String named = levels.substring(0, levels.length() - state.length()).strip();
    return Arrays.asList(named.split(", ?")).contains(wanted);
  }

  private static Connection connection(Database database, DatabaseIsolation isolation) {
    return fake(
        Connection.class,
        Map.of(
            "getTransactionIsolation",
            isolation.jdbc(),
            "getMetaData",
            fake(DatabaseMetaData.class, Map.of("getDatabaseProductName", database.product())),
            "createStatement",
            fake(Statement.class, answers(database.told()))));
  }

  private static Map<String, Object> answers(String told) {
    return told == null
        ? Map.of()
        : Map.of("executeQuery", fake(ResultSet.class, Map.of("next", true, "getString", told)));
  }

  /** Answers the same to each call of a method; anything else but close is an error. */
  private static <T> T fake(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              if (!answers.containsKey(method.getName())) {
                throw new SQLException("not understood: " + method.getName());
              }
              return answers.get(method.getName());
            }));
  }
}
