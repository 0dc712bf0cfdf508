package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
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

  @TempDir private static Path folder;
  private static EmbeddedDatabase database;
  private static BrokerProcess broker;
  private static MonitorService monitor;
  private static int nextRow = FIRST_ROW;

  @BeforeAll
  static void start() throws Exception {
    database = EmbeddedDatabase.start(Map.of("synchronous_standby_names", "nobody"));
    broker = BrokerProcess.start(folder.resolve("broker"));
    monitor = MonitorService.start(config(), anomaly -> {});
    execute(
        database.jdbcUrl(),
        "CREATE TABLE accounts (id int PRIMARY KEY, v int NOT NULL)",
        "CREATE FUNCTION touch(int) RETURNS void LANGUAGE sql"
            + " AS 'UPDATE accounts SET v = v + 1 WHERE id = $1'");
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
          () -> {
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
    rounds(
        history,
        row -> {
          update(url(history.name()), row);
          for (int i = 0; i < 4; i++) {
            execute(url(history.name()), "SELECT v FROM accounts WHERE id = " + (row + 1));
          }
        });
    assertDoubtsAlone(history, 8L * ROUNDS);
  }

  private void rounds(LiveHistory history, Weaker weaker) throws Exception {
    rounds(history, weaker, () -> {});
  }

  /** What is done after both have committed. */
  @FunctionalInterface
  private interface After {
    void run() throws Exception;
  }

  private void rounds(LiveHistory history, Weaker weaker, After after) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      between(history.name(), newRows(history.name()), weaker);
      after.run();
    }
  }

  /** Two rows that nothing else touches; the first one's number. */
  private static int newRows(String history) throws SQLException {
    int x = nextRow;
    nextRow += 2;
    String insert = "INSERT INTO accounts VALUES (%d, 0), (%d, 0)".formatted(x, x + 1);
    boolean open = history.equals("unseen") || history.equals("opaque");
    execute(open ? database.jdbcUrl() : url(history), insert);
    return x;
  }

  private static void between(String history, int x, Weaker weaker) throws Exception {
    int y = x + 1;
    try (Connection first = serializable(history);
        Connection second = serializable(history);
        Statement ofFirst = first.createStatement();
        Statement ofSecond = second.createStatement()) {
      read(ofFirst, x);
      weaker.update(x);
      read(ofSecond, y);
      ofSecond.executeUpdate("UPDATE accounts SET v = v + 10 WHERE id = " + x);
      second.commit();
      ofFirst.executeUpdate("UPDATE accounts SET v = v + 10 WHERE id = " + y);
      first.commit();
    }
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
    execute(url, "UPDATE accounts SET v = v + 1 WHERE id = " + row);
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
    return LiveHistory.url(database, broker, history, "");
  }

  private static void assertDoubtsAlone(LiveHistory history, long transactions) throws Exception {
    history.await("all to be checked", () -> history.checked() >= transactions);
    history.await("nothing to wait", () -> history.report().pendingTransactions() == 0);
    System.out.printf(
        "%s: %d rounds, %d transactions, %d anomalies, undecided %s%n",
        history.name(),
        ROUNDS,
        history.checked(),
        history.report().anomalies().size(),
        history.report().undecided());
    assertThat(monitor.anomalies().stream().filter(a -> a.history().equals(history.name())))
        .isEmpty();
    assertThat(history.report().anomalies()).isEmpty();
    assertThat(history.report().undecided().getOrDefault(UndecidedReason.WEAKER_WRITER, 0L))
        .as("the cycles are there")
        .isGreaterThanOrEqualTo(ROUNDS);
  }
}
