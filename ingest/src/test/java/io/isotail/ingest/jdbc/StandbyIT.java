package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedStandby;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads on a physical standby are of the same history as the writes on its primary. */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StandbyIT {
  private static final String PRIMARY = "postgresql:repeatable-read";
  private static final String STANDBY = "postgresql-standby:repeatable-read";
  private static final int REPEATABLE_READ = Connection.TRANSACTION_REPEATABLE_READ;
  private static final int READ_COMMITTED = Connection.TRANSACTION_READ_COMMITTED;

  private static EmbeddedDatabase primary;
  private static EmbeddedStandby standby;

  private final Proxies proxies = new Proxies();
  private final List<Anomaly> anomalies = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    primary = EmbeddedDatabase.start();
    direct("CREATE TABLE account (id bigint PRIMARY KEY, balance bigint)");
    standby = EmbeddedStandby.of(primary);
  }

  @AfterAll
  static void stop() throws Exception {
    standby.close();
    primary.close();
  }

  @BeforeEach
  void fill() throws SQLException {
    direct("TRUNCATE account", "INSERT INTO account SELECT i, 10 FROM generate_series(1, 9) i");
    standby.catchUp();
  }

  @AfterEach
  void replay() throws SQLException {
    standby.resume();
  }

  @Test
  void aReadOfWhatIsNotReplayedYetIsStaleOnlyWhereThatIsPromised() throws Exception {
    try (Connection writer = onPrimary(REPEATABLE_READ);
        Connection reader = onStandby(REPEATABLE_READ)) {
      committed(writer, "UPDATE account SET balance = 11 WHERE id = 1");
      standby.catchUp();
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(11);
      standby.pause();
      committed(writer, "UPDATE account SET balance = 12 WHERE id = 1");
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(11);
      standby.resume();
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(12);
    }
    assertThat(proxies.records())
        .extracting(TransactionRecord::ranAt)
        .containsOnly(PRIMARY, STANDBY);
    assertThat(proxies.records())
        .extracting(record -> record.session().name())
        .containsOnly("bank/1#1", "bank/1#2");
    assertThat(proxies.records())
        .extracting(record -> record.session().database())
        .containsOnly(proxies.hellos().get(0).database())
        .doesNotContain(SessionInfo.NO_DATABASE);
    CheckerReport report = check(Map.of());
    assertThat(anomalies).isEmpty();
    assertThat(report.readsDecided()).isEqualTo(report.reads()).isEqualTo(3);
    assertThat(report.verdicts())
        .containsEntry(IsolationLevel.CAUSAL, Verdict.PASS)
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.NOT_CHECKED);
    check(Map.of(STANDBY, IsolationLevel.STRICT_SERIALIZABLE));
    assertThat(anomalies).as("the writers are not promised it").isEmpty();
    check(
        Map.of(
            PRIMARY, IsolationLevel.SERIALIZABLE,
            STANDBY, IsolationLevel.SERIALIZABLE));
    assertThat(anomalies).as("another order is found").isEmpty();
    Map<String, IsolationLevel> strict =
        Map.of(
            PRIMARY, IsolationLevel.STRICT_SERIALIZABLE,
            STANDBY, IsolationLevel.STRICT_SERIALIZABLE);
    assertThat(check(strict).undecided())
        .as("somebody else may have written between")
        .containsKey(UndecidedReason.WEAKER_WRITER);
    assertThat(anomalies).isEmpty();
    check(CheckerConfig.forLive("bank").withPromises(strict).withOutsiders(false));
    assertThat(anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.STALE_READ);
  }

  @Test
  void whatAStandbyShowsIsAPrefixAndAtReadCommittedAnotherWithEachStatement() throws Exception {
    try (Connection writer = onPrimary(REPEATABLE_READ);
        Connection reader = onStandby(REPEATABLE_READ);
        Connection rereader = onStandby(READ_COMMITTED)) {
      standby.pause();
      committed(writer, "UPDATE account SET balance = 11 WHERE id = 1");
      committed(writer, "UPDATE account SET balance = 12 WHERE id = 2");
      assertThat(read(reader, "SELECT balance FROM account WHERE id = 2")).isEqualTo(10);
      assertThat(read(rereader, "SELECT balance FROM account WHERE id = 2")).isEqualTo(10);
      standby.resume();
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(10);
      assertThat(committed(rereader, "SELECT balance FROM account WHERE id = 2")).isEqualTo(12);
    }
    assertThat(proxies.records())
        .extracting(TransactionRecord::ranAt)
        .contains("postgresql-standby:read-committed");
    CheckerReport report = check(Map.of());
    assertThat(anomalies).isEmpty();
    assertThat(report.readsDecided()).isEqualTo(report.reads()).isEqualTo(4);
    assertThat(report.verdicts()).containsEntry(IsolationLevel.READ_COMMITTED, Verdict.PASS);
  }

  /**
   * A commit that waits for a synchronous standby is in the log, and not visible on the primary,
   * where a later one is.
   */
  @Test
  void commitsBecomeVisibleInAnotherOrderThanOnThePrimary() throws Exception {
    ExecutorService waiting = Executors.newSingleThreadExecutor();
    try (Connection first = onPrimary(REPEATABLE_READ, "&options=-c%20synchronous_commit=on");
        Connection second = onPrimary(REPEATABLE_READ);
        Connection there = onPrimary(REPEATABLE_READ);
        Connection here = onStandby(REPEATABLE_READ)) {
      direct("ALTER SYSTEM SET synchronous_standby_names = 'elsewhere'", "SELECT pg_reload_conf()");
      Future<?> commit;
      long written = 10;
      do { // Until the server has read its configuration, commits do not wait.
        written++;
        read(first, "UPDATE account SET balance = " + written + " WHERE id = 1");
        commit =
            waiting.submit(
                () -> {
                  first.commit();
                  return null;
                });
      } while (!waitsForStandby(commit));
      standby.catchUp();
      standby.pause();
      committed(second, "UPDATE account SET balance = 12 WHERE id = 2");
      String query = "SELECT balance FROM account WHERE id = 1";
      assertThat(read(there, query)).isEqualTo(written - 1);
      assertThat(committed(there, "SELECT balance FROM account WHERE id = 2")).isEqualTo(12);
      assertThat(read(here, query)).isEqualTo(written);
      assertThat(committed(here, "SELECT balance FROM account WHERE id = 2")).isEqualTo(10);
      waitForNoStandby();
      commit.get();
    } finally {
      waitForNoStandby();
      waiting.shutdown();
    }
    CheckerReport report = check(Map.of());
    assertThat(anomalies).isEmpty();
    assertThat(report.readsDecided()).isEqualTo(report.reads()).isEqualTo(4);
    check(Map.of(STANDBY, IsolationLevel.SNAPSHOT_ISOLATION));
    assertThat(anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LONG_FORK);
  }

  private static void waitForNoStandby() throws SQLException {
    direct("ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
  }

  /** The horizon is that of the standby, and it is lower than what the writer could tell. */
  @Test
  void anApplicationThatFindsAStandbyWhichLagsTakesLessForBeforeCapture() throws Exception {
    direct("UPDATE account SET balance = 11 WHERE id = 1");
    standby.catchUp();
    standby.pause();
    direct("UPDATE account SET balance = 12 WHERE id = 1", "DELETE FROM account WHERE id = 3");
    try (Connection writer = onPrimary(REPEATABLE_READ);
        Connection reader = proxies.connect("report", standby.jdbcUrl(), REPEATABLE_READ)) {
      committed(writer, "UPDATE account SET balance = 13 WHERE id = 2");
      assertThat(committed(writer, "SELECT balance FROM account WHERE id = 1")).isEqualTo(12);
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(11);
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 3")).isEqualTo(10);
      standby.resume();
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(12);
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 2")).isEqualTo(13);
    }
    assertThat(proxies.hellos()).extracting(Hello::service).containsExactly("bank", "report");
    assertThat(proxies.hellos().get(1).oldestRunning())
        .isPositive()
        .isLessThan(proxies.hellos().get(0).oldestRunning());
    CheckerReport report =
        check(
            Map.of(
                PRIMARY, IsolationLevel.STRICT_SERIALIZABLE,
                STANDBY, IsolationLevel.STRICT_SERIALIZABLE));
    assertThat(anomalies).isEmpty();
    assertThat(report.undecided()).containsOnly(Map.entry(UndecidedReason.UNKNOWN_WRITER, 2L));
    assertThat(report.readsDecided()).isEqualTo(3);
  }

  @Test
  void whatAStandbyRefusesIsWhatTheApplicationSees() throws Exception {
    direct(
        "CREATE OR REPLACE FUNCTION looks() RETURNS bigint LANGUAGE sql AS"
            + " $$ SELECT max(balance) FROM account $$");
    standby.catchUp();
    try (Connection writer = onPrimary(REPEATABLE_READ);
        Connection reader = onStandby(REPEATABLE_READ)) {
      committed(writer, "UPDATE account SET balance = 11 WHERE id = 1");
      standby.catchUp();
      assertThatThrownBy(() -> read(reader, "UPDATE account SET balance = 12 WHERE id = 1"))
          .hasMessageContaining("read-only transaction");
      reader.rollback();
      assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(11);
      assertThat(committed(reader, "SELECT looks()")).isEqualTo(11);
    }
    CheckerReport report = check(Map.of());
    assertThat(report.readsDecided()).isEqualTo(report.reads()).isOne();
    report.levels().forEach((level, said) -> assertThat(said.doubts()).as("%s", level).isEmpty());
  }

  /** Every statement fails there at serializable, until the application chooses another level. */
  @Test
  void aStandbyIsReadThoughItsDefaultLevelIsSerializable() throws Exception {
    try (Connection reader =
        proxies.connect(
            "bank",
            standby.jdbcUrl() + "&options=-c%20default_transaction_isolation=serializable",
            Connection.TRANSACTION_NONE)) {
      assertThatThrownBy(() -> read(reader, "SELECT balance FROM account WHERE id = 1"))
          .hasMessageContaining("serializable");
      reader.rollback();
      reader.setTransactionIsolation(REPEATABLE_READ);
      while (proxies.records().isEmpty()) { // What could not be asked is asked again.
        assertThat(committed(reader, "SELECT balance FROM account WHERE id = 1")).isEqualTo(10);
      }
    }
    assertThat(proxies.records()).extracting(TransactionRecord::ranAt).containsExactly(STANDBY);
    assertThat(check(Map.of()).reads()).isOne();
  }

  @Test
  void ofSeveralHostsTheSessionTellsTheOneThatItIsConnectedTo() throws Exception {
    String several =
        "jdbc:postgresql://localhost:%d,localhost:%d/postgres?user=postgres&targetServerType="
            .formatted(primary.port(), standby.port());
    try (Connection writer = proxies.connect("bank", several + "primary", REPEATABLE_READ);
        Connection reader = proxies.connect("bank", several + "secondary", REPEATABLE_READ)) {
      committed(writer, "SELECT balance FROM account WHERE id = 1");
      committed(reader, "SELECT balance FROM account WHERE id = 1");
    }
    assertThat(proxies.records())
        .extracting(TransactionRecord::ranAt)
        .containsExactly(PRIMARY, STANDBY);
    assertThat(proxies.records())
        .extracting(TransactionRecord::session)
        .extracting(SessionInfo::databaseHost)
        .containsExactly("localhost:" + primary.port(), "localhost:" + standby.port());
  }

  private Connection onPrimary(int level) throws SQLException {
    return onPrimary(level, "");
  }

  private Connection onPrimary(int level, String more) throws SQLException {
    return proxies.connect("bank", primary.jdbcUrl() + more, level);
  }

  private Connection onStandby(int level) throws SQLException {
    return proxies.connect("bank", standby.jdbcUrl(), level);
  }

  private static void direct(String... statements) throws SQLException {
    try (Connection c = DriverManager.getConnection(primary.jdbcUrl());
        Statement s = c.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  /** Whether a commit waits for a synchronous standby; returns when it does, or when it is done. */
  private static boolean waitsForStandby(Future<?> commit) throws Exception {
    try (Connection c = DriverManager.getConnection(primary.jdbcUrl());
        Statement s = c.createStatement()) {
      while (true) {
        try (ResultSet row =
            s.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) {
          row.next();
          if (row.getInt(1) > 0) {
            return true;
          }
        }
        try {
          commit.get(5, TimeUnit.MILLISECONDS);
          return false;
        } catch (TimeoutException e) {
          // Neither yet.
        }
      }
    }
  }

  private static @Nullable Long committed(Connection c, String sql) throws SQLException {
    Long first = read(c, sql);
    c.commit();
    return first;
  }

  private static @Nullable Long read(Connection c, String sql) throws SQLException {
    Long first = null;
    try (Statement s = c.createStatement()) {
      if (s.execute(sql)) {
        try (ResultSet rows = s.getResultSet()) {
          while (rows.next()) {
            first = rows.getLong(1);
          }
        }
      }
    }
    return first;
  }

  private CheckerReport check(Map<String, IsolationLevel> promises) {
    return check(CheckerConfig.forLive("bank").withPromises(promises));
  }

  private CheckerReport check(CheckerConfig config) {
    anomalies.clear();
    Checker checker = UnpreparedBankIT.checker(config, anomalies);
    long offset = 0;
    for (Hello hello : proxies.hellos()) {
      checker.accept(offset++, 0, hello);
    }
    for (TransactionRecord record : proxies.records()) {
      checker.accept(offset++, 0, record);
    }
    for (Hello hello : proxies.hellos()) {
      checker.accept(offset++, 0, new Goodbye(hello.proxy()));
    }
    checker.finish();
    return checker.report();
  }
}
