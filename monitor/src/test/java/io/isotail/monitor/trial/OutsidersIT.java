package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two serializable transactions on a real PostgreSQL, between which a weaker one overwrites what
 * the first has read: PostgreSQL lets both commit, as it documents, and nothing becomes an alarm
 * however little is known of the weaker one. Without it PostgreSQL refuses the second.
 *
 * <p>{@code -Disotail.outsiders.rounds=N} tries each more often.
 */
final class OutsidersIT {
  private static final int ROUNDS = Integer.getInteger("isotail.outsiders.rounds", 3);
  private static final int FIRST_ROW = 1_000;
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String UPDATE = "UPDATE accounts SET v = v + 1 WHERE id = ";

  @TempDir private static Path folder;
  private static EmbeddedDatabase database;
  private static EmbeddedKafka broker;
  private static MonitorService monitor;
  private static int nextRow = FIRST_ROW;

  @BeforeAll
  static void start() throws Exception {
    database = EmbeddedDatabase.start(Map.of("synchronous_standby_names", "nobody"));
    broker = EmbeddedKafka.start();
    monitor = MonitorService.start(config(), anomaly -> {});
    execute(
        database.jdbcUrl(),
        // Pages with room, and no scans: what PostgreSQL locks is the rows.
        "CREATE TABLE accounts (id int PRIMARY KEY, v int NOT NULL) WITH (fillfactor = 10)",
        "ALTER DATABASE postgres SET enable_seqscan = off",
        "CREATE FUNCTION touch(int) RETURNS void LANGUAGE sql"
            + " AS 'UPDATE accounts SET v = v + 1 WHERE id = $1'",
        "INSERT INTO accounts SELECT generate_series(%d, %d), 0"
            .formatted(FIRST_ROW - 1, FIRST_ROW + 200 * ROUNDS));
  }

  @AfterAll
  static void stop() throws Exception {
    monitor.close();
    broker.close();
    database.close();
  }

  private static MonitorConfig config() throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", broker.bootstrapServers());
    settings.put("http.port", "0");
    settings.put("defaults.deletes", "false");
    for (String closed : new String[] {"late", "window", "unknown"}) {
      settings.put("histories." + closed + ".closed", "true");
    }
    settings.put("histories.window.window.transactions", "3");
    return MonitorConfig.of(settings);
  }

  /** What overwrites a row between two serializable transactions. */
  @FunctionalInterface
  private interface Weaker {
    void update(int row) throws Exception;
  }

  @Test
  void nobodyCapturedTheWeakerOne() throws Exception {
    LiveHistory history = new LiveHistory(monitor, "unseen");
    rounds(history, row -> update(database.jdbcUrl(), row));
    assertDoubtsAlone(history, 2L * ROUNDS);
  }

  @Test
  void theWeakerOneIsNotUnderstood() throws Exception {
    LiveHistory history = new LiveHistory(monitor, "opaque");
    rounds(history, row -> execute(url("opaque"), "SELECT touch(%d)".formatted(row)));
    assertDoubtsAlone(history, 3L * ROUNDS);
  }

  @Test
  void theRecordOfTheWeakerOneIsLate() throws Exception {
    LiveHistory history = new LiveHistory(monitor, "late");
    try (OutsiderProcess weaker = new OutsiderProcess(url("late"), folder.resolve("late.log"))) {
      rounds(
          history,
          row -> {
            weaker.update(row);
            awaitCommitThatWaits();
            weaker.stop();
            commitNow("pg_cancel_backend");
          },
          committed -> {
            weaker.goOn();
            weaker.await();
          });
    }
    assertDoubtsAlone(history, 4L * ROUNDS);
  }

  @Test
  void nobodyLearntHowTheWeakerOneEnded() throws Exception {
    LiveHistory history = new LiveHistory(monitor, "unknown");
    rounds(
        history,
        row -> {
          try (OutsiderProcess weaker =
              new OutsiderProcess(url("unknown"), folder.resolve("unknown.log"))) {
            weaker.update(row);
            awaitCommitThatWaits();
            commitNow("pg_terminate_backend");
          }
        });
    assertDoubtsAlone(history, 3L * ROUNDS);
    assertThat(history.report().unknown()).isPositive();
  }

  @Test
  void theWeakerOneHasLeftTheWindow() throws Exception {
    LiveHistory history = new LiveHistory(monitor, "window");
    String other = UPDATE + (FIRST_ROW - 1);
    long[] all = {0};
    // The cycle is seen if both are delivered soon after the weaker one, which is up to the
    // machine.
    for (int i = 0; i < 40 && (i == 0 || doubts(history) == 0); i++) {
      rounds(
          history,
          row -> execute(url(history.name()), UPDATE + row, other, other, other, other),
          committed -> {
            // So that nothing of the next round comes into the window before both are checked.
            all[0] += 6 + committed;
            history.await("the round", () -> isChecked(history, all[0]));
          });
    }
    assertDoubtsAlone(history, all[0], 1);
  }

  private void rounds(LiveHistory history, Weaker weaker) throws Exception {
    rounds(history, weaker, committed -> {});
  }

  /** What is done after a round, of which so many of the two have committed. */
  @FunctionalInterface
  private interface After {
    void run(int committed) throws Exception;
  }

  private void rounds(LiveHistory history, Weaker weaker, After after) throws Exception {
    int done = 0;
    for (int tried = 0; done < ROUNDS; tried++) {
      assertThat(tried).as("PostgreSQL refuses most: %d done", done).isLessThan(10 * ROUNDS);
      int committed = between(history.name(), newRows(history.name()), weaker);
      done += committed == 2 ? 1 : 0;
      after.run(committed);
    }
  }

  /**
   * Two rows that nothing else touches; the first one's number. In an open history they were there
   * before capture began.
   */
  private static int newRows(String history) throws SQLException {
    int x = nextRow;
    nextRow += 2;
    if (!history.equals("unseen") && !history.equals("opaque")) {
      try (Connection connection = serializable(history);
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO accounts (id, v) VALUES (?, 0)")) {
        for (int row = x; row <= x + 1; row++) {
          insert.setInt(1, -row);
          insert.executeUpdate();
        }
        connection.commit();
      }
      return -x - 1;
    }
    return x;
  }

  /** How many of the two PostgreSQL lets commit; it may refuse one of them by chance. */
  private static int between(String history, int x, Weaker weaker) throws Exception {
    int y = x + 1;
    int committed = 0;
    try (Connection first = serializable(history);
        Connection second = serializable(history);
        Statement ofFirst = first.createStatement();
        Statement ofSecond = second.createStatement()) {
      read(ofFirst, x);
      weaker.update(x);
      read(ofSecond, y);
      ofSecond.executeUpdate("UPDATE accounts SET v = v + 10 WHERE id = " + x);
      second.commit();
      committed++;
      ofFirst.executeUpdate("UPDATE accounts SET v = v + 10 WHERE id = " + y);
      first.commit();
      committed++;
    } catch (SQLException e) {
      if (!SERIALIZATION_FAILURE.equals(e.getSQLState())) {
        throw e;
      }
    }
    return committed;
  }

  private static Connection serializable(String history) throws SQLException {
    Connection connection = DriverManager.getConnection(url(history));
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void read(Statement statement, int row) throws SQLException {
    try (ResultSet result = statement.executeQuery("SELECT v FROM accounts WHERE id = " + row)) {
      assertThat(result.next()).isTrue();
    }
  }

  private static void update(String url, int row) throws SQLException {
    execute(url, UPDATE + row);
  }

  private static void execute(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static void awaitCommitThatWaits() throws Exception {
    LiveHistory any = new LiveHistory(monitor, "any");
    any.await("a commit to wait for a standby", () -> waiting() == 1);
  }

  private static int waiting() {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")) {
      result.next();
      return result.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The commit that waits is done; its client learns it, or does not if it is terminated. */
  private static void commitNow(String function) throws Exception {
    execute(
        database.jdbcUrl(),
        "SELECT %s(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'".formatted(function));
    new LiveHistory(monitor, "any").await("the commit to be done", () -> waiting() == 0);
  }

  private static String url(String history) {
    // However slow the machine: who commits before its stream has begun is nobody to a monitor.
    return LiveHistory.url(
        database, broker.bootstrapServers(), history, "&isotail.start-wait-ms=60000");
  }

  private static boolean isChecked(LiveHistory history, long transactions) {
    return history.checked() >= transactions && history.report().pendingTransactions() == 0;
  }

  private static void assertDoubtsAlone(LiveHistory history, long transactions) throws Exception {
    assertDoubtsAlone(history, transactions, ROUNDS);
  }

  private static void assertDoubtsAlone(LiveHistory history, long transactions, int doubts)
      throws Exception {
    history.await("all to be checked", () -> history.checked() >= transactions);
    history.await("nothing to wait", () -> history.report().pendingTransactions() == 0);
    System.out.printf(
        "%s: %d rounds, %d transactions, %d anomalies, undecided %s%n",
        history.name(),
        ROUNDS,
        history.checked(),
        history.report().anomalies().size(),
        history.report().undecided());
    assertThat(
            monitor.anomalies().stream()
                .filter(anomaly -> anomaly.history().equals(history.name()))
                .map(anomaly -> anomaly.json(Set.of())))
        .isEmpty();
    assertThat(history.report().anomalies()).isEmpty();
    assertThat(doubts(history)).as("the cycles are there").isGreaterThanOrEqualTo(doubts);
  }

  private static long doubts(LiveHistory history) {
    return history.report().undecided().getOrDefault(UndecidedReason.WEAKER_WRITER, 0L);
  }
}
