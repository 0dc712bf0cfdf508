package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** PostgreSQL 18 tells which version of a row a write has really overwritten. */
@ParameterizedClass
@EnumSource(ReplacedVersionsIT.Carrier.class)
final class ReplacedVersionsIT {
  private static final int CLIENTS = 4;
  private static final int TRANSACTIONS = 250;
  private static final int ROWS = 12;

  private static Postgres18 database;
  private static EmbeddedDatabase older;

  @Parameter Carrier carrier;

  private final RecordingSink sink = new RecordingSink();
  private final Capture capture =
      new Capture(CaptureConfig.of("any", new ObservedTables(List.of())), sink, "proxy");
  private final ConnectionWrapper driver =
      IsotailDriver.wrapper(CaptureConfig.of("any", new ObservedTables(List.of())), sink, "proxy");
  private final AtomicInteger committed = new AtomicInteger();
  private final List<ProxyServer> proxies = new ArrayList<>();

  /** Who captures. */
  enum Carrier {
    DRIVER,
    PROXY
  }

  @BeforeAll
  static void startDatabases() throws Exception {
    database = Postgres18.start();
    older = EmbeddedDatabase.start();
  }

  @AfterAll
  static void stopDatabases() throws Exception {
    database.close();
    older.close();
  }

  @BeforeEach
  void fill() throws SQLException {
    for (int port : new int[] {database.port(), older.port()}) {
      direct(
          port,
          "DROP SCHEMA IF EXISTS replaced CASCADE",
          "CREATE SCHEMA replaced",
          "CREATE TABLE replaced.acc (k int PRIMARY KEY, v int, w text)",
          "CREATE TABLE replaced.part (k int, v int, PRIMARY KEY (k, v)) PARTITION BY RANGE (v)",
          "CREATE TABLE replaced.low PARTITION OF replaced.part FOR VALUES FROM (0) TO (10)",
          "CREATE TABLE replaced.high PARTITION OF replaced.part FOR VALUES FROM (10) TO (99)",
          "CREATE TABLE replaced.flat (k int PRIMARY KEY, v int) PARTITION BY RANGE (k)",
          "CREATE TABLE replaced.all PARTITION OF replaced.flat FOR VALUES FROM (0) TO (99)",
          "INSERT INTO replaced.acc SELECT i, 0, 'w' FROM generate_series(1, " + ROWS + ") i",
          "INSERT INTO replaced.part VALUES (1, 1)",
          "INSERT INTO replaced.flat VALUES (1, 1)");
    }
  }

  @AfterEach
  void nothingFailed() {
    proxies.forEach(ProxyServer::close);
    assertThat(capture.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
    assertThat(driver.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  private static void direct(int port, String... statements) throws SQLException {
    try (Connection c = DriverManager.getConnection(url(port));
        Statement s = c.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
  }

  private static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&currentSchema=replaced";
  }

  private Connection open(int port) throws SQLException {
    if (carrier == Carrier.DRIVER) {
      return driver.wrap(DriverManager.getConnection(url(port)));
    }
    if (proxies.isEmpty()) {
      proxies.add(
          ProxyServer.start(
              ProxyConfig.of(new Address("127.0.0.1", 0), new Address("127.0.0.1", port)),
              CapturedConversations.of(capture)));
    }
    return DriverManager.getConnection(url(proxies.get(0).port()));
  }

  /** The writes of all records, once so many transactions that committed are there. */
  private List<String> told(int transactions) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (sink.records().stream().filter(t -> t.outcome() == Outcome.COMMITTED).count()
        < transactions) {
      assertThat(System.nanoTime() - deadlineNs).as("%s", sink.described()).isNegative();
      Thread.sleep(5);
    }
    List<String> told = new ArrayList<>();
    for (TransactionRecord record : sink.records()) {
      Operations ops = record.operations();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.kind(i) == OperationKind.WRITE || ops.kind(i) == OperationKind.DELETE) {
          told.add(
              "%s %s replacing %s"
                  .formatted(
                      ops.kind(i),
                      ops.kind(i) == OperationKind.WRITE ? ops.version(i) : "",
                      ops.replaces(i) ? ops.replaced(i) : "?"));
        }
      }
    }
    return told;
  }

  private static long xmin(int port, int key) throws SQLException {
    try (Connection c = DriverManager.getConnection(url(port));
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery("SELECT xmin::text FROM acc WHERE k = " + key)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void what_a_write_that_waited_has_really_overwritten() throws Exception {
    long before = xmin(database.port(), 1);
    long first;
    try (Connection a = open(database.port());
        Connection b = open(database.port());
        PreparedStatement update = b.prepareStatement("UPDATE acc SET v = ? WHERE k = ?")) {
      a.setAutoCommit(false);
      a.createStatement().executeUpdate("UPDATE acc SET v = v + 1 WHERE k = 1");
      update.setInt(1, 7);
      update.setInt(2, 1);
      CompletableFuture<Integer> waits =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return update.executeUpdate();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      awaitLock();
      assertThat(waits).isNotDone();
      a.commit();
      first = xmin(database.port(), 1);
      assertThat(waits.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    }
    // The two sessions are two threads: either record may arrive first.
    List<String> told = told(2);
    long last = xmin(database.port(), 1);
    String firstWrite =
        told.stream()
            .map(each -> each.replaceAll("WRITE (\\d+) .*", "$1"))
            .filter(version -> !version.equals(Long.toString(last)))
            .findFirst()
            .orElseThrow();
    assertThat(told)
        .containsExactlyInAnyOrder(
            "WRITE %s replacing %d".formatted(firstWrite, before),
            "WRITE %d replacing %s".formatted(last, firstWrite));
    assertThat(List.of(firstWrite, Long.toString(last))).contains(Long.toString(first));
  }

  private static void awaitLock() throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    try (Connection c = DriverManager.getConnection(url(database.port()));
        PreparedStatement waiting =
            c.prepareStatement(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) {
      while (true) {
        try (ResultSet row = waiting.executeQuery()) {
          row.next();
          if (row.getInt(1) > 0) {
            return;
          }
        }
        assertThat(System.nanoTime() - deadlineNs).isNegative();
        Thread.sleep(5);
      }
    }
  }

  @Test
  void deletes_and_inserts_that_meet_a_row_tell_it_too() throws Exception {
    long before = xmin(database.port(), 2);
    String upsert = "INSERT INTO acc VALUES (?, 1) ON CONFLICT (k) DO UPDATE SET v = acc.v + 1";
    try (Connection c = open(database.port());
        PreparedStatement s = c.prepareStatement(upsert)) {
      for (int key : new int[] {2, 77}) {
        s.setInt(1, key);
        assertThat(s.executeUpdate()).isEqualTo(1);
      }
      c.createStatement().executeUpdate("INSERT INTO acc VALUES (78, 1)");
      c.createStatement().executeUpdate("DELETE FROM acc WHERE k = 2");
    }
    List<String> told = told(4);
    String upserted = told.get(0).replaceAll("WRITE (\\d+) .*", "$1");
    assertThat(told.get(0)).isEqualTo("WRITE %s replacing %d", upserted, before);
    assertThat(told.get(1)).endsWith("replacing ?");
    assertThat(told.get(2)).endsWith("replacing ?");
    assertThat(told.get(3)).isEqualTo("DELETE  replacing " + upserted);
  }

  @Test
  void what_cannot_tell_it_is_sent_as_before() throws Exception {
    try (Connection c = open(database.port());
        Statement s = c.createStatement()) {
      s.execute(
          "MERGE INTO acc USING (VALUES (1)) s(k) ON acc.k = s.k WHEN MATCHED THEN UPDATE SET v = 5");
      s.execute("UPDATE part SET v = 50 WHERE k = 1 AND v = 1");
      s.execute("UPDATE flat SET v = 50 WHERE k = 1");
      s.execute("UPDATE acc AS old SET v = 6 WHERE old.k = 1");
      s.execute("UPDATE acc SET v = 8 FROM (VALUES (1)) \"old\"(k) WHERE acc.k = \"old\".k");
    }
    assertThat(told(5)).isNotEmpty().allMatch(each -> each.endsWith("replacing ?"));
    try (Connection c = DriverManager.getConnection(url(database.port()));
        ResultSet row =
            c.createStatement().executeQuery("SELECT a.v + p.v FROM acc a, part p WHERE a.k = 1")) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(58);
    }
  }

  @Test
  void older_servers_are_asked_for_nothing_more() throws Exception {
    try (Connection c = open(older.port());
        Statement s = c.createStatement()) {
      s.executeUpdate("UPDATE acc SET v = 5 WHERE k = 1");
      s.executeUpdate("DELETE FROM acc WHERE k = 1");
    }
    assertThat(told(2)).hasSize(2).allMatch(each -> each.endsWith("replacing ?"));
  }

  @Test
  void the_application_sees_its_own_columns_alone() throws Exception {
    try (Connection c = open(database.port());
        Statement s = c.createStatement()) {
      for (String sql :
          List.of(
              "UPDATE acc SET v = 9 WHERE k = 3 RETURNING k, v",
              "UPDATE acc SET v = 9 WHERE w = 'w' AND k = 3 RETURNING k, old.v + 0",
              "INSERT INTO acc VALUES (3, 9) ON CONFLICT (k) DO UPDATE SET v = 9 RETURNING k, v",
              "DELETE FROM acc WHERE k = 3 RETURNING k, v")) {
        try (ResultSet rows = s.executeQuery(sql)) {
          assertThat(rows.getMetaData().getColumnCount()).as(sql).isEqualTo(2);
          assertThat(rows.next()).as(sql).isTrue();
          assertThat(rows.getInt(1)).as(sql).isEqualTo(3);
          assertThat(rows.getInt(2)).as(sql).isEqualTo(9);
          assertThat(rows.next()).as(sql).isFalse();
        }
      }
      PreparedStatement keys =
          c.prepareStatement("UPDATE acc SET v = 4 WHERE k = 4", new String[] {"k"});
      assertThat(keys.executeUpdate()).isEqualTo(1);
      ResultSet given = keys.getGeneratedKeys();
      assertThat(given.getMetaData().getColumnCount()).isEqualTo(1);
      assertThat(given.next()).isTrue();
      PreparedStatement batch = c.prepareStatement("UPDATE acc SET v = ? WHERE k = ?");
      for (int key = 5; key < 8; key++) {
        batch.setInt(1, key);
        batch.setInt(2, key);
        batch.addBatch();
      }
      assertThat(batch.executeBatch()).containsExactly(1, 1, 1);
    }
  }

  /** Blind writers, several rows each, and readers, on few rows. */
  @Test
  void the_order_of_versions_needs_no_search() throws Exception {
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      int seed = client;
      Connection connection = open(database.port());
      clients.add(CompletableFuture.runAsync(() -> work(connection, seed)));
    }
    for (CompletableFuture<Void> client : clients) {
      client.get(5, TimeUnit.MINUTES);
    }
    List<String> writes = told(committed.get());
    assertThat(writes).filteredOn(each -> each.endsWith("?")).isEmpty();
    CheckerReport report = check(true);
    CheckerReport guessed = check(false);
    System.out.printf(
        "%s: %,d transactions, %,d writes; searches for an order of versions: %d with what was"
            + " replaced, %d without%n",
        carrier, report.transactions(), writes.size(), report.searches(), guessed.searches());
    assertThat(report.searches()).isZero();
    assertThat(report.replacedTwice()).isZero();
  }

  private void work(Connection connection, int seed) {
    Random random = new Random(seed);
    try (Connection c = connection;
        PreparedStatement update = c.prepareStatement("UPDATE acc SET v = ? WHERE k = ?");
        PreparedStatement select = c.prepareStatement("SELECT v FROM acc WHERE k = ?")) {
      c.setAutoCommit(false);
      c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      for (int n = 0; n < TRANSACTIONS; n++) {
        try {
          for (int i = 0; i < 3; i++) {
            int key = 1 + random.nextInt(ROWS);
            if (random.nextInt(3) == 0) {
              select.setInt(1, key);
              try (ResultSet row = select.executeQuery()) {
                row.next();
                row.getInt(1);
              }
            } else {
              update.setInt(1, n);
              update.setInt(2, key);
              update.executeUpdate();
            }
          }
          c.commit();
          committed.incrementAndGet();
        } catch (SQLException e) {
          c.rollback(); // another one was first
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private CheckerReport check(boolean told) {
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker =
        new Checker(
            CheckerConfig.forLive("any").withStrongest(IsolationLevel.SNAPSHOT_ISOLATION),
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    long offset = 0;
    for (TransactionRecord t : sink.records()) {
      assertThat(t.outcome()).isIn(Outcome.COMMITTED, Outcome.ABORTED);
      Operations ops = told ? t.operations() : t.operations().withReplacedOf(key -> false);
      checker.accept(
          offset,
          offset,
          new TransactionRecord(
              t.session(),
              t.sequence(),
              t.transaction(),
              t.chunk(),
              t.outcome(),
              t.ranAt(),
              t.beginNs(),
              t.endNs(),
              t.clock(),
              ops));
      offset++;
    }
    checker.finish();
    assertThat(anomalies).isEmpty();
    return checker.report();
  }
}
