package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Somebody adds a trigger after the catalog was read, whose function writes in a block with an
 * exception handler, under an id of its own: what a transaction reads of it is never taken for a
 * stranger's write.
 */
class ForeignTriggerIT {
  private static final String PROXY = "proxy";

  private final RecordingSink sink = new RecordingSink();
  private long oldest;

  @BeforeAll
  static void start() throws Exception {
    DatabaseScenario.startDatabase();
  }

  @BeforeEach
  void makeTables() throws Exception {
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS foreignly CASCADE",
        "CREATE SCHEMA foreignly",
        "CREATE TABLE foreignly.account (id int PRIMARY KEY, balance int)",
        "CREATE TABLE foreignly.counter (id int PRIMARY KEY, n int)",
        "INSERT INTO foreignly.account SELECT i, 0 FROM generate_series(1, 9) i",
        "INSERT INTO foreignly.counter VALUES (1, 0), (2, 0)",
        "CREATE FUNCTION foreignly.counting() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " BEGIN UPDATE foreignly.counter SET n = n + 1;"
            + " EXCEPTION WHEN OTHERS THEN RAISE; END; RETURN NEW; END $$");
    try (Connection c = direct();
        ResultSet row =
            c.createStatement()
                .executeQuery("SELECT txid_snapshot_xmin(txid_current_snapshot())")) {
      row.next();
      oldest = row.getLong(1);
    }
  }

  private static Connection direct() throws SQLException {
    return DriverManager.getConnection(url());
  }

  private static String url() {
    return DatabaseScenario.database.jdbcUrl() + "&currentSchema=foreignly";
  }

  /** A carrier, a level, a trigger, and a statement that fires it. */
  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (boolean proxy : List.of(false, true)) {
      for (int level :
          List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
        cases.add(Arguments.of(proxy, level, "AFTER UPDATE ON account FOR EACH ROW", "id = 1"));
        cases.add(Arguments.of(proxy, level, "BEFORE UPDATE ON account FOR EACH ROW", "id < 4"));
        cases.add(Arguments.of(proxy, level, "AFTER UPDATE ON account", "id = 77"));
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "proxy {0}, level {1}, {2}, {3}")
  @MethodSource("cases")
  void whatATriggerOfSomebodyElseWroteIsNoStrangers(
      boolean proxy, int level, String trigger, String rows) throws Exception {
    CaptureConfig config = CaptureConfig.of("h", new ObservedTables(List.of()));
    if (proxy) {
      int port = URI.create(url().substring("jdbc:".length())).getPort();
      try (TestRelay relay = new TestRelay(port, config, sink);
          Connection c =
              DriverManager.getConnection(url().replace(":" + port, ":" + relay.port()))) {
        run(c, level, trigger, rows);
      }
    } else {
      try (Connection c = IsotailDriver.wrapper(config, sink, PROXY).wrap(direct())) {
        run(c, level, trigger, rows);
      }
    }
    List<Anomaly> anomalies = new ArrayList<>();
    CheckerReport report = check(IsolationLevel.SNAPSHOT_ISOLATION, anomalies);
    assertThat(anomalies).isEmpty();
    assertThat(report.reads()).isGreaterThanOrEqualTo(5);
    assertThat(report.readsDecided()).isGreaterThanOrEqualTo(2);
  }

  private static void run(Connection c, int level, String trigger, String rows) throws Exception {
    c.setAutoCommit(false);
    c.setTransactionIsolation(level);
    execute(c, "UPDATE account SET balance = 1 WHERE id = 9");
    execute(c, "SELECT n FROM counter WHERE id = 1");
    c.commit();
    DatabaseScenario.direct(
        "SET search_path TO foreignly",
        "CREATE TRIGGER counting " + trigger + " EXECUTE FUNCTION foreignly.counting()",
        "RESET search_path");
    execute(c, "SELECT n FROM counter WHERE id = 1");
    execute(c, "UPDATE account SET balance = 2 WHERE " + rows);
    execute(c, "SELECT n FROM counter WHERE id = 1");
    execute(c, "SELECT n FROM counter WHERE id = 2");
    c.commit();
    execute(c, "SELECT n FROM counter WHERE id = 1");
    c.commit();
  }

  private static void execute(Connection c, String sql) throws SQLException {
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

  private CheckerReport check(IsolationLevel promise, List<Anomaly> anomalies) {
    Checker checker = UnpreparedBankIT.checker(promise, anomalies);
    long offset = 0;
    checker.accept(offset++, 0, new Hello(PROXY, "bank", "1", 100, oldest));
    for (TransactionRecord record : sink.records()) {
      checker.accept(offset++, 0, record);
    }
    checker.accept(offset, 0, new Goodbye(PROXY));
    checker.finish();
    return checker.report();
  }
}
