package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A column that isotail adds and the server refuses is nothing that the application sees. */
final class TailedRefusalsIT {
  private static final String READ = "SELECT id, n FROM stock WHERE id = ?";

  @Test
  void aColumnThatSomebodyElseDropsIsAddedNoMore() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          "CREATE TABLE stock (id int PRIMARY KEY, n int, gone int)",
          "INSERT INTO stock VALUES (1, 10, 0), (2, 20, 0)");
      run.startTail();
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          Statement plain = c.createStatement();
          PreparedStatement prepared = c.prepareStatement(READ)) {
        assertThat(numbers(prepared)).containsExactly(10);
        run.execute("ALTER TABLE stock DROP COLUMN gone");
        assertThat(numbers(prepared)).containsExactly(10);
        assertThat(prepared.getMetaData().getColumnCount()).isEqualTo(2);
        assertThat(numbers(plain)).containsExactly(10, 20);
        run.execute("ALTER TABLE stock ADD COLUMN gone int", "ALTER TABLE stock DROP COLUMN gone");
        c.setAutoCommit(false);
        for (int i = 0; i < 5; i++) {
          assertThat(numbers(plain)).containsExactly(10, 20);
          assertThat(numbers(prepared)).containsExactly(10);
          plain.executeUpdate("UPDATE stock SET n = n WHERE id = 2");
        }
        c.commit();
        // The application's own mistakes stay its own.
        assertThat(messageOf(plain, "SELECT id, gone FROM stock")).contains("gone");
        assertThat(messageOf(plain, "SELECT id, never FROM stock")).contains("never");
      }
      // Reads are decided again once the catalog was read.
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          PreparedStatement prepared = c.prepareStatement(READ)) {
        AtomicInteger n = new AtomicInteger(10);
        AtomicInteger calls = new AtomicInteger();
        run.awaitReport(
            "reads to be decided again",
            report -> {
              try {
                // What nobody has written is not decided, nor what is written while a transaction
                // waits whose id is not known.
                if (calls.getAndIncrement() % 50 == 0) {
                  run.execute("UPDATE stock SET n = n + 1");
                  n.incrementAndGet();
                }
                assertThat(numbers(prepared)).containsExactly(n.get());
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
              return report.readsDecided() > 100;
            });
      }
      CheckerReport report = run.finished();
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void aColumnThatTheUserMayNotReadIsNotAdded() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          "CREATE TABLE people (id int PRIMARY KEY, name varchar(20), salary int, note varchar(9))",
          "INSERT INTO people VALUES (1, 'Ann', 1000, 'x')",
          "CREATE USER clerk@'%' IDENTIFIED BY 'x'",
          "GRANT SELECT (id, name), INSERT (salary) ON isotail.people TO clerk@'%'");
      run.startTail();
      String url = run.url("shop").replace("user=app", "user=clerk");
      assertThat(url).contains("user=clerk");
      try (Connection c = DriverManager.getConnection(url);
          Statement s = c.createStatement()) {
        for (int i = 0; i < 3; i++) {
          try (ResultSet rows = s.executeQuery("SELECT name FROM people WHERE id = 1")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo("Ann");
          }
        }
      }
      CheckerReport report = run.finished();
      assertThat(report.anomalies()).isEmpty();
      assertThat(report.badRecords()).isZero();
    }
  }

  @Test
  void whatTheServerSaysOfTheStatementBeforeIsOfTheApplicationsOwn() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          "CREATE TABLE stock (id int PRIMARY KEY, n int, name varchar(3))",
          "INSERT INTO stock VALUES (1, 10, 'a'), (2, 20, 'b')");
      run.startTail();
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          Statement s = c.createStatement();
          Statement other = c.createStatement();
          PreparedStatement rows = c.prepareStatement("SELECT ROW_COUNT()")) {
        s.execute("SET sql_mode = ''");
        assertThat(s.executeUpdate("UPDATE stock SET name = 'abcdef' WHERE id = 1")).isOne();
        assertThat((Object) s.getWarnings()).isNotNull();
        s.clearWarnings();
        assertThat((Object) s.getWarnings()).isNull();
        s.executeUpdate("UPDATE stock SET n = n + 1");
        assertThat((Object) s.getWarnings()).isNull();
        assertThat(number(rows.executeQuery())).isEqualTo(2);
        run.execute("CREATE TABLE fresh (id int PRIMARY KEY)"); // There is something to ask for.
        s.execute("CREATE TABLE mine (id int PRIMARY KEY)");
        s.executeQuery("SELECT SQL_CALC_FOUND_ROWS id FROM stock LIMIT 1").close();
        assertThat(number(other.executeQuery("SELECT FOUND_ROWS()"))).isEqualTo(2);
        s.execute("DROP TABLE mine");
        s.executeUpdate("UPDATE stock SET name = 'abcdef' WHERE id = 2");
        try (ResultSet warnings = other.executeQuery("SHOW WARNINGS")) {
          assertThat(warnings.next()).isTrue();
        }
      }
      assertThat(run.finished().anomalies()).isEmpty();
    }
  }

  private static int number(ResultSet one) throws SQLException {
    try (one) {
      assertThat(one.next()).isTrue();
      return one.getInt(1);
    }
  }

  private static List<Integer> numbers(PreparedStatement read) throws SQLException {
    read.setInt(1, 1);
    try (ResultSet rows = read.executeQuery()) {
      return numbers(rows);
    }
  }

  private static List<Integer> numbers(Statement plain) throws SQLException {
    try (ResultSet rows = plain.executeQuery("SELECT id, n FROM stock ORDER BY id")) {
      return numbers(rows);
    }
  }

  private static List<Integer> numbers(ResultSet rows) throws SQLException {
    assertThat(rows.getMetaData().getColumnCount()).isEqualTo(2);
    List<Integer> numbers = new ArrayList<>();
    while (rows.next()) {
      numbers.add(rows.getInt(2));
    }
    return numbers;
  }

  private static String messageOf(Statement s, String sql) {
    try {
      s.executeQuery(sql).close();
      throw new AssertionError("the server took " + sql);
    } catch (SQLException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
