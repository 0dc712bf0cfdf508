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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A session that imports an older snapshot sees less than before, as it has asked for. */
class ImportedSnapshotIT {
  private static final String PROXY = "proxy";

  private final RecordingSink sink = new RecordingSink();
  private long oldest;

  @BeforeAll
  static void start() throws Exception {
    DatabaseScenario.startDatabase();
  }

  @BeforeEach
  void makeTable() throws Exception {
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS imported CASCADE",
        "CREATE SCHEMA imported",
        "CREATE TABLE imported.account (id int PRIMARY KEY, balance int)",
        "INSERT INTO imported.account SELECT i, 0 FROM generate_series(1, 9) i");
    try (Connection c = direct()) {
      oldest = Long.parseLong(one(c, "SELECT txid_snapshot_xmin(txid_current_snapshot())"));
    }
  }

  private static Connection direct() throws SQLException {
    return DriverManager.getConnection(url());
  }

  private static String url() {
    return DatabaseScenario.database.jdbcUrl() + "&currentSchema=imported";
  }

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (boolean proxy : List.of(false, true)) {
      for (int level :
          List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
        for (boolean exporterCaptured : List.of(false, true)) {
          cases.add(Arguments.of(proxy, level, exporterCaptured));
        }
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "proxy {0}, level {1}, exporter captured {2}")
  @MethodSource("cases")
  void aSessionThatImportsASnapshotBreaksNoOrder(boolean proxy, int level, boolean exporterCaptured)
      throws Exception {
    CaptureConfig config = CaptureConfig.of("h", new ObservedTables(List.of()));
    int port = DatabaseScenario.database.port();
    try (TestRelay relay = new TestRelay(port, config, sink)) {
      ConnectionWrapper driver = IsotailDriver.wrapper(config, sink, PROXY);
      String through = url().replace(":" + port, ":" + relay.port());
      try (Connection c = proxy ? DriverManager.getConnection(through) : driver.wrap(direct());
          Connection plain =
              exporterCaptured && proxy ? DriverManager.getConnection(through) : direct();
          Connection exporter = exporterCaptured && !proxy ? driver.wrap(plain) : plain) {
        run(c, exporter, level);
      }
    }
    List<Anomaly> anomalies = new ArrayList<>();
    CheckerReport report = check(anomalies);
    assertThat(anomalies).isEmpty();
    assertThat(report.reads()).isGreaterThanOrEqualTo(5);
    assertThat(report.readsDecided()).isEqualTo(report.reads());
    sessionsHaveNoHoles();
    if (!proxy) {
      sink.checkContract();
    }
    assertThat(sink.records())
        .extracting(record -> record.session().name())
        .anyMatch(name -> name.endsWith("-snapshot"));
  }

  private static void run(Connection c, Connection exporter, int level) throws SQLException {
    for (Connection each : List.of(c, exporter)) {
      each.setAutoCommit(false);
      each.setTransactionIsolation(level);
    }
    one(c, "SELECT balance FROM account WHERE id = 1");
    execute(c, "UPDATE account SET balance = 1 WHERE id = 1");
    c.commit();
    String snapshot = one(exporter, "SELECT pg_export_snapshot()");
    one(exporter, "SELECT balance FROM account WHERE id = 1");
    execute(c, "UPDATE account SET balance = 2 WHERE id = 1");
    c.commit();
    execute(c, "SET TRANSACTION SNAPSHOT '" + snapshot + "'");
    assertThat(one(c, "SELECT balance FROM account WHERE id = 1")).isEqualTo("1");
    execute(c, "UPDATE account SET balance = 3 WHERE id = 2");
    c.commit();
    exporter.commit();
    assertThat(one(c, "SELECT balance FROM account WHERE id = 1")).isEqualTo("2");
    assertThat(one(c, "SELECT balance FROM account WHERE id = 2")).isEqualTo("3");
    execute(c, "UPDATE account SET balance = 4 WHERE id = 1");
    c.commit();
    one(c, "SELECT balance FROM account WHERE id = 1");
    c.commit();
  }

  private static String one(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement();
        ResultSet row = s.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  /** Records of each session follow each other. */
  private void sessionsHaveNoHoles() {
    Map<Long, Long> next = new HashMap<>();
    for (TransactionRecord record : sink.records()) {
      long expected = next.getOrDefault(record.session().id(), 0L);
      assertThat(record.sequence()).isEqualTo(expected);
      next.put(record.session().id(), expected + 1);
    }
  }

  private CheckerReport check(List<Anomaly> anomalies) {
    Checker checker = UnpreparedBankIT.checker(IsolationLevel.SNAPSHOT_ISOLATION, anomalies);
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
