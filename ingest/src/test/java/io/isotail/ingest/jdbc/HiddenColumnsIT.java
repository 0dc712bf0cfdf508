package io.isotail.ingest.jdbc;

import static io.isotail.ingest.jdbc.HiddenSchema.checkRecord;
import static io.isotail.ingest.jdbc.HiddenSchema.fill;
import static io.isotail.ingest.jdbc.HiddenSchema.plain;
import static io.isotail.ingest.jdbc.HiddenSchema.versions;
import static io.isotail.ingest.jdbc.StatementComparison.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.jdbc.SeenByApplication.Way;
import io.isotail.ingest.sql.ObservedTables;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Statements through isotail beside the same through the real driver, on a schema that knows
 * nothing of isotail: the application sees the same, and what is recorded is what the server has.
 */
class HiddenColumnsIT {
  private static final Set<Way> OF_QUERIES =
      EnumSet.of(
          Way.STATEMENT,
          Way.QUERY_OR_UPDATE,
          Way.PREPARED_TWICE,
          Way.SCROLLABLE,
          Way.UPDATABLE,
          Way.FETCHED_IN_PORTIONS);
  private static final Set<Way> OF_WRITES = EnumSet.complementOf(EnumSet.of(Way.UPDATABLE));
  private static final Set<Way> IN_TRANSACTIONS =
      EnumSet.of(
          Way.STATEMENT,
          Way.PREPARED,
          Way.FETCHED_IN_PORTIONS,
          Way.ALL_KEYS,
          Way.NAMED_KEYS,
          Way.UNREAD_KEYS,
          Way.PREPARED_BATCH);

  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper wrapper;

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  @BeforeEach
  void wrap() {
    wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  @Test
  void theApplicationSeesTheSameAndTheRecordIsTrue() throws SQLException {
    new StatementComparison(sink, wrapper.stats(), HiddenSchema::plain, () -> wrapper.wrap(plain()))
        .run("", HiddenColumnsIT::ways, 100);
  }

  private static Set<Way> ways(boolean query, boolean autoCommit) {
    Set<Way> ways = EnumSet.copyOf(query ? OF_QUERIES : OF_WRITES);
    if (!autoCommit) {
      ways.retainAll(IN_TRANSACTIONS);
    }
    return ways;
  }

  @Test
  void whatIsWrittenIsToldWhereTheApplicationAsksForKeys() throws SQLException {
    List<String> untold = new ArrayList<>();
    for (boolean autoCommit : new boolean[] {true, false}) {
      for (Way way :
          List.of(Way.ALL_KEYS, Way.STATEMENT_ALL_KEYS, Way.NAMED_KEYS, Way.UNREAD_KEYS)) {
        for (String sql :
            List.of(
                "INSERT INTO serialised (t) VALUES ('three')",
                "INSERT INTO serialised (t) VALUES ('three'), ('four')",
                "INSERT INTO serialised (at) VALUES (now()) RETURNING id",
                "UPDATE acc SET v = v + 1 WHERE k = 1",
                "UPDATE \"Odd Table\" SET \"from\" = 'x' WHERE \"Id\" = 1 -- end")) {
          for (int again = 0; again < 2; again++) {
            fill();
            Map<String, String> before = versions();
            sink.clear();
            List<String> seen;
            try (Connection c = wrapper.wrap(plain())) {
              seen = seen(c, autoCommit, way, sql);
            }
            String name = "%s, autocommit %s: %s".formatted(way, autoCommit, sql);
            boolean exact = checkRecord(name, sink, before, versions(), untold);
            // A write that does not name its rows is rewritten once it is known to write few.
            if (!exact && again == 1) {
              untold.add(name + ": " + sink.described() + seen);
            }
          }
        }
      }
    }
    assertThat(untold).isEmpty();
  }

  @Test
  void rowsThatAreLockedAreReadAfterThoseThatAreNot() throws Exception {
    fill();
    try (Connection writer = plain();
        Connection reader = wrapper.wrap(plain());
        Statement read = reader.createStatement()) {
      writer.setAutoCommit(false);
      writer.createStatement().executeUpdate("UPDATE uniq SET v = 7 WHERE k = 1");
      writer.createStatement().executeUpdate("UPDATE acc SET v = 7 WHERE k = 1");
      Map<String, String> before = versions();
      CompletableFuture<Void> waiting =
          CompletableFuture.runAsync(
              () -> {
                try {
                  DatabaseScenario.run(
                      reader,
                      "SELECT a.v, u.v FROM acc a JOIN uniq u ON a.k = u.k FOR UPDATE OF a");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      awaitLockWaiter();
      writer.commit();
      waiting.get(30, TimeUnit.SECONDS);
      read.executeQuery("SELECT 1").close();
      assertThat(sink.described().get(0))
          .isEqualTo(
              "committed: r1=%s r1=%s"
                  .formatted(before.get("hidden.uniq 1"), versions().get("hidden.acc 1")));
    }
  }

  private static void awaitLockWaiter() throws Exception {
    long deadlineNs = System.nanoTime() + 30_000_000_000L;
    try (Connection c = plain();
        Statement s = c.createStatement()) {
      while (true) {
        try (ResultSet row = s.executeQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")) {
          row.next();
          if (row.getLong(1) > 0) {
            return;
          }
        }
        assertThat(System.nanoTime()).as("nobody waits for a lock").isLessThan(deadlineNs);
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void anInsertIntoPartitionsTellsItsKeys() throws SQLException {
    fill();
    try (Connection c = wrapper.wrap(plain());
        Statement s = c.createStatement()) {
      String sql = "INSERT INTO part SELECT k + %d, v FROM acc";
      s.executeUpdate(sql.formatted(300));
      sink.clear();
      s.executeUpdate(sql.formatted(400));
    }
    assertThat(sink.described().get(0)).contains("w401=?", "w402=?", "w403=?");
  }

  @Test
  void valuesThatCannotBeReadTwiceAndLimitsAreLeftAlone() throws SQLException {
    fill();
    try (Connection c = wrapper.wrap(plain());
        PreparedStatement insert = c.prepareStatement("INSERT INTO acc VALUES (?, ?, ?)");
        PreparedStatement update = c.prepareStatement("UPDATE acc SET v = v + 1 WHERE k < ?")) {
      insert.setLong(1, 500);
      insert.setNull(2, java.sql.Types.BIGINT);
      insert.setCharacterStream(3, new StringReader("hello"), 5);
      insert.addBatch();
      assertThat(insert.executeBatch()).containsExactly(1);
      insert.setLong(1, 501);
      insert.setCharacterStream(3, new StringReader("world"), 5);
      assertThat(insert.executeUpdate()).isOne();
      for (int maxRows = 0; maxRows < 3; maxRows++) {
        update.setMaxRows(maxRows);
        update.setLong(1, 100);
        assertThat(update.executeUpdate()).isEqualTo(3);
      }
      try (ResultSet rows =
          c.createStatement().executeQuery("SELECT w FROM acc WHERE k >= 500 ORDER BY k")) {
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("hello");
        rows.next();
        assertThat(rows.getString(1)).isEqualTo("world");
      }
    }
  }

  @Test
  void aPreparedStatementOutlivesAChangeOfItsTable() throws SQLException {
    fill();
    DatabaseScenario.direct("CREATE TABLE hidden.brief (k bigint PRIMARY KEY, v bigint)");
    try (Connection c = wrapper.wrap(plain());
        PreparedStatement read = c.prepareStatement("SELECT v FROM brief WHERE v = 1")) {
      read.executeQuery().close();
      DatabaseScenario.direct("ALTER TABLE hidden.brief RENAME k TO kk");
      int failures = 0;
      for (int i = 0; i < 3; i++) {
        try {
          read.executeQuery().close();
        } catch (SQLException e) {
          failures++;
        }
      }
      assertThat(failures).as("failures of a statement that plain JDBC runs").isLessThan(2);
    } finally {
      DatabaseScenario.direct("DROP TABLE hidden.brief");
    }
  }

  @Test
  void whatATransactionReadsAfterAWriteElsewhereIsItsOwnByItsId() throws SQLException {
    fill();
    for (String through : List.of("seen", "part_low")) {
      String table = through.equals("seen") ? "acc" : "part";
      sink.clear();
      long oldest = oldestRunning();
      try (Connection c = wrapper.wrap(plain());
          Statement s = c.createStatement()) {
        c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        c.setAutoCommit(false);
        DatabaseScenario.run(c, "SELECT v FROM " + table + " WHERE k = 1");
        s.executeUpdate("UPDATE " + through + " SET v = v + 1 WHERE k = 1");
        DatabaseScenario.run(c, "SELECT v FROM " + table + " WHERE k = 1");
        c.commit();
      }
      List<Anomaly> anomalies = new ArrayList<>();
      Checker checker = UnpreparedBankIT.checker(IsolationLevel.SNAPSHOT_ISOLATION, anomalies);
      checker.accept(0, 0, new Hello("proxy", "any", "1", 100, oldest));
      long offset = 1;
      for (TransactionRecord record : sink.records()) {
        checker.accept(offset++, 0, record);
      }
      checker.accept(offset, 0, new Goodbye("proxy"));
      checker.finish();
      assertThat(checker.report().reads()).as(through).isEqualTo(2);
      assertThat(checker.report().readsDecided()).as(through).isEqualTo(2);
      assertThat(anomalies).as(through).isEmpty();
    }
  }

  private static long oldestRunning() throws SQLException {
    try (Connection c = plain();
        ResultSet row =
            c.createStatement()
                .executeQuery("SELECT txid_snapshot_xmin(txid_current_snapshot())")) {
      row.next();
      return row.getLong(1);
    }
  }
}
