package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A real database with the tables of the scenarios, and a connection whose records are kept. */
abstract class DatabaseScenario {
  static final ObservedTables TABLES =
      ObservedTables.parse("reg(k; v), pair(a, b; rev), doc(id; v), num(k; v), ids(k; v)");

  static EmbeddedDatabase database;

  final RecordingSink sink = new RecordingSink();
  ConnectionWrapper wrapper;
  Connection connection;

  static synchronized void startDatabase() throws Exception {
    if (database == null) {
      // New statistics in mid test change plans, and with them the order of rows without ORDER BY.
      EmbeddedDatabase started = EmbeddedDatabase.start(Map.of("autovacuum", "off"));
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    try {
                      started.close();
                    } catch (java.io.IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  }));
      database = started;
      direct(
          "CREATE TABLE reg (k bigint PRIMARY KEY, v bigint, w text)",
          "CREATE TABLE pair (a int, b text, rev int NOT NULL, PRIMARY KEY (a, b))",
          "CREATE TABLE doc (id uuid PRIMARY KEY, v bytea)",
          "CREATE TABLE num (k numeric(10, 2) PRIMARY KEY, v text)",
          "CREATE TABLE ids (k bigserial PRIMARY KEY, v bigint NOT NULL DEFAULT 7)",
          "CREATE TABLE other (k bigint PRIMARY KEY, v bigint)",
          "CREATE TABLE deferred (k bigint UNIQUE DEFERRABLE INITIALLY DEFERRED)",
          "CREATE FUNCTION touch() RETURNS int LANGUAGE sql AS 'UPDATE reg SET w = w; SELECT 1'");
    }
  }

  static void direct(String... statements) throws SQLException {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  @BeforeEach
  final void fill() throws Exception {
    startDatabase();
    direct(
        "TRUNCATE reg, pair, doc, num, ids, other, deferred RESTART IDENTITY",
        "INSERT INTO reg VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, NULL)",
        "INSERT INTO pair VALUES (1, 'x', 100), (1, 'y', 200)");
    wrapper =
        IsotailDriver.wrapper(CaptureConfig.of("test", TABLES).withClearNames(), sink, "proxy");
    connection = open();
  }

  @AfterEach
  final void closeConnection() throws SQLException {
    connection.close();
    sink.checkContract();
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  final Connection open() throws SQLException {
    return open("");
  }

  final Connection open(String urlParameters) throws SQLException {
    return wrapper.wrap(DriverManager.getConnection(database.jdbcUrl() + urlParameters));
  }

  /** Runs a statement and reads all its rows, if it has any. */
  static void run(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      if (s.execute(sql)) {
        try (ResultSet rows = s.getResultSet()) {
          while (rows.next()) {
            rows.getObject(1);
          }
        }
      }
    }
  }

  final void run(String sql) throws SQLException {
    run(connection, sql);
  }

  final void expect(String... described) {
    assertThat(sink.described()).containsExactly(described);
  }
}
