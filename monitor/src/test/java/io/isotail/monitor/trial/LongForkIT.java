package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sandbox.EmbeddedStandby;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * A primary of PostgreSQL and its standby show two commits in opposite orders: what is promised of
 * both together is broken, and what PostgreSQL documents of each is not.
 *
 * <p>The order in which commits stand in the log, which a standby shows, is not the order in which
 * they become visible on the primary: one that waits for a synchronous standby is passed by another
 * that does not. {@code deploy/reproductions/long-fork.sh} shows the same without isotail.
 */
final class LongForkIT {
  private static final String HISTORY = "shop";

  @Test
  void aLongForkOfPrimaryAndStandbyIsFoundAndNamed() throws Exception {
    try (EmbeddedKafka broker = EmbeddedKafka.start();
        MonitorService monitor =
            MonitorService.start(
                config(
                    broker,
                    Map.of(
                        "promises.postgresql:repeatable-read", "snapshot-isolation",
                        "promises.postgresql-standby:repeatable-read", "snapshot-isolation")))) {
      CheckerReport report = fork(broker, monitor);
      assertThat(report.anomalies()).hasToString("{prefix={long-fork=1}}");
      assertThat(monitor.incidents()).hasSize(1);
      JsonNode incident = monitor.incidents().get(0).document();
      System.out.println("the long fork: " + incident.path("title").asText());
      assertThat(incident.path("title").asText())
          .startsWith("Two transactions saw two changes in opposite orders in account")
          .contains("replica")
          .containsPattern("of (reporting|balances)"); // Whichever of both is looked at first.
    }
  }

  @Test
  void whatPostgresqlDocumentsIsKept() throws Exception {
    try (EmbeddedKafka broker = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(broker, Map.of()))) {
      CheckerReport report = fork(broker, monitor);
      assertThat(report.anomalies()).isEmpty();
      assertThat(monitor.incidents()).isEmpty();
    }
  }

  private static CheckerReport fork(EmbeddedKafka broker, MonitorService monitor) throws Exception {
    LiveHistory history = new LiveHistory(monitor, HISTORY);
    try (EmbeddedDatabase primary = EmbeddedDatabase.start();
        Connection direct = DriverManager.getConnection(primary.jdbcUrl())) {
      execute(direct, "CREATE TABLE account (id bigint PRIMARY KEY, balance bigint)");
      execute(direct, "INSERT INTO account VALUES (1, 0), (2, 0)");
      execute(direct, "CREATE TABLE scratch (i int)");
      ExecutorService waiting = Executors.newSingleThreadExecutor();
      try (EmbeddedStandby standby = EmbeddedStandby.of(primary);
          Connection first = open(primary.jdbcUrl(), broker, "checkout");
          Connection second = open(primary.jdbcUrl(), broker, "refund");
          Connection reader = open(primary.jdbcUrl(), broker, "balances");
          Connection late = open(standby.jdbcUrl(), broker, "reporting")) {
        assertThat(balances(reader)).containsExactly(0, 0);
        assertThat(balances(late)).containsExactly(0, 0);
        // A cluster of three, of which one is away.
        execute(direct, "ALTER SYSTEM SET synchronous_standby_names = '2 (walreceiver, away)'");
        execute(direct, "SELECT pg_reload_conf()");
        awaitSynchronous(history, primary.jdbcUrl(), waiting);
        Future<?> commits =
            waiting.submit(
                () -> {
                  execute(first, "SET LOCAL synchronous_commit = on");
                  execute(first, "UPDATE account SET balance = 1 WHERE id = 1");
                  first.commit();
                  return null;
                });
        history.await("the standby", () -> shows(standby.jdbcUrl(), 1));
        standby.pause();
        execute(second, "SET LOCAL synchronous_commit = local");
        execute(second, "UPDATE account SET balance = 1 WHERE id = 2");
        second.commit();
        assertThat(balances(reader)).containsExactly(0, 1);
        assertThat(balances(late)).containsExactly(1, 0);
        assertThat(commits.isDone()).isFalse();
        execute(direct, "ALTER SYSTEM RESET synchronous_standby_names");
        execute(direct, "SELECT pg_reload_conf()");
        commits.get();
        standby.resume();
        assertThat(balances(reader)).containsExactly(1, 1);
        assertThat(balances(late)).containsExactly(1, 1);
      } finally {
        waiting.shutdown();
      }
      history.await("all", () -> history.checked() == 8);
      IsotailDriver.shutDown();
      return history.report();
    }
  }

  /** The setting is read before commits heed it: one waits in vain, and is let go. */
  private static void awaitSynchronous(LiveHistory history, String url, ExecutorService pool)
      throws Exception {
    String waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    BooleanSupplier waits = () -> answer(url, "SELECT count(*) > 0 " + waiting).equals("t");
    while (!waits.getAsBoolean()) {
      Future<?> commit =
          pool.submit(
              () -> {
                try (Connection c = DriverManager.getConnection(url)) {
                  execute(c, "SET synchronous_commit = on");
                  execute(c, "INSERT INTO scratch VALUES (1)");
                }
                return null;
              });
      history.await("a commit", () -> commit.isDone() || waits.getAsBoolean());
    }
    answer(url, "SELECT pg_cancel_backend(pid) " + waiting);
    history.await("it to be let go", () -> !waits.getAsBoolean());
  }

  private static boolean shows(String url, int row) {
    return answer(url, "SELECT balance = 1 FROM account WHERE id = " + row).equals("t");
  }

  private static String answer(String url, String query) {
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery(query)) {
      return row.next() ? row.getString(1) : "";
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Both balances, read in one transaction. */
  private static List<Integer> balances(Connection connection) throws SQLException {
    List<Integer> balances = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT balance FROM account ORDER BY id")) {
      while (rows.next()) {
        balances.add(rows.getInt(1));
      }
    }
    connection.commit();
    return balances;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection open(String url, EmbeddedKafka broker, String service)
      throws SQLException {
    return LiveHistory.open(url, broker.bootstrapServers(), HISTORY, service);
  }

  private static MonitorConfig config(EmbeddedKafka broker, Map<String, String> promises) {
    Map<String, String> all = new HashMap<>();
    all.put("kafka.bootstrap", broker.bootstrapServers());
    all.put("http.port", "0");
    promises.forEach((name, level) -> all.put("histories." + HISTORY + "." + name, level));
    return MonitorConfig.of(all);
  }
}
