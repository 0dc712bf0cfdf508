package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.copy.CopyManager;

/** What a real client does with a real server, through a proxy that sees nothing, or everything. */
@ParameterizedClass
@EnumSource(Sight.class)
final class PostgresIT {
  private static EmbeddedDatabase database;

  @Parameter Sight sight;
  private ProxyServer proxy;

  @BeforeAll
  static void startDatabase() throws IOException {
    database = EmbeddedDatabase.start();
  }

  @AfterAll
  static void stopDatabase() throws IOException {
    database.close();
  }

  @BeforeEach
  void start() {
    proxy =
        ProxyServer.start(
            ProxyConfig.of(new Address("127.0.0.1", 0), new Address("127.0.0.1", database.port())),
            (parameters, host) -> sight.open());
  }

  @AfterEach
  void stop() {
    Await.until("no connection is left", () -> proxy.stats().open() == 0);
    assertThat(proxy.stats().get(Count.CONVERSATION_FAILURES)).isZero();
    assertThat(proxy.stats().get(Count.FRAMING_LOST)).isZero();
    assertThat(proxy.stats().get(Count.INTERNAL_FAILURES)).isZero();
    proxy.close();
  }

  private Connection connect(String parameters) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:%d/postgres?user=postgres&%s"
            .formatted(proxy.port(), parameters));
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended", "extendedForPrepared", "extendedCacheEverything"})
  void statementsRunInEveryMode(String mode) throws SQLException {
    try (Connection connection = connect("preferQueryMode=" + mode);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE t (k int PRIMARY KEY, v text)");
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
        for (int i = 0; i < 2_000; i++) {
          insert.setInt(1, i);
          insert.setString(2, "value " + i);
          insert.addBatch();
        }
        assertThat(insert.executeBatch()).hasSize(2_000).containsOnly(1);
      }
      connection.setAutoCommit(false);
      try (PreparedStatement select =
          connection.prepareStatement("SELECT k, v FROM t WHERE k >= ? ORDER BY k")) {
        select.setFetchSize(7);
        for (int repeat = 0; repeat < 8; repeat++) {
          select.setInt(1, 100);
          int expected = 100;
          try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              assertThat(rows.getInt(1)).isEqualTo(expected);
              assertThat(rows.getString(2)).isEqualTo("value " + expected);
              expected++;
            }
          }
          assertThat(expected).isEqualTo(2_000);
        }
      }
      connection.commit();
    }
  }

  @Test
  void errorsAreThoseOfTheServer() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE t (k int PRIMARY KEY)");
      statement.addBatch("INSERT INTO t VALUES (1)");
      statement.addBatch("INSERT INTO t VALUES (1)");
      statement.addBatch("INSERT INTO t VALUES (2)");
      assertThatThrownBy(statement::executeBatch)
          .isInstanceOf(BatchUpdateException.class)
          .hasMessageContaining("duplicate key");
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> statement.execute("SELEC")).hasMessageContaining("syntax error");
      assertThatThrownBy(() -> statement.execute("SELECT 1"))
          .hasMessageContaining("current transaction is aborted");
      connection.rollback();
      try (ResultSet row = statement.executeQuery("SELECT 7")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(7);
      }
    }
  }

  @Test
  void rowsAreCopiedInAndOut() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      lines.append(i).append("\ttext of ").append(i).append('\n');
    }
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TEMP TABLE t (k int PRIMARY KEY, v text)");
      CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
      assertThat(copy.copyIn("COPY t FROM STDIN", new StringReader(lines.toString())))
          .isEqualTo(200_000);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      copy.copyOut("COPY (SELECT * FROM t ORDER BY k) TO STDOUT", out);
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(lines.toString());
      assertThatThrownBy(
              () -> copy.copyIn("COPY t FROM STDIN", new StringReader("not a number\tx\n")))
          .hasMessageContaining("invalid input syntax");
      try (ResultSet row = statement.executeQuery("SELECT count(*) FROM t")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(200_000);
      }
    }
  }

  @Test
  void aStatementIsCancelled() throws Exception {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      CompletableFuture<String> state =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  statement.execute("SELECT pg_sleep(60)");
                  return "not cancelled";
                } catch (SQLException e) {
                  return e.getSQLState();
                }
              });
      awaitSleeper();
      statement.cancel();
      assertThat(state.get(20, TimeUnit.SECONDS)).isEqualTo("57014");
    }
    assertThat(proxy.stats().get(Count.CANCELS)).isEqualTo(1);
  }

  private void awaitSleeper() throws SQLException {
    try (Connection other = DriverManager.getConnection(database.jdbcUrl());
        PreparedStatement sleepers =
            other.prepareStatement("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")) {
      Await.until(
          "a statement sleeps",
          () -> {
            try (ResultSet row = sleepers.executeQuery()) {
              return row.next();
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  @Test
  void aValueOf100MegabytesComesAndGoes() throws Exception {
    byte[] value = new byte[100 << 20];
    Arrays.fill(value, (byte) 'v');
    value[1 << 20] = 0;
    try (Connection connection = connect("");
        PreparedStatement echo =
            connection.prepareStatement("SELECT length(v), v FROM (SELECT ?::bytea AS v) AS t")) {
      echo.setBytes(1, value);
      try (ResultSet row = echo.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getInt(1)).isEqualTo(value.length);
        try (InputStream bytes = row.getBinaryStream(2)) {
          assertThat(Arrays.equals(bytes.readAllBytes(), value)).isTrue();
        }
      }
    }
  }

  @Test
  void noticesAndNotificationsArrive() throws SQLException {
    try (Connection listener = connect("");
        Connection teller = connect("");
        Statement listen = listener.createStatement();
        Statement tell = teller.createStatement()) {
      listen.execute("LISTEN news");
      tell.execute("DO $$ BEGIN RAISE NOTICE 'to be seen'; END $$");
      assertThat(tell.getWarnings().getMessage()).isEqualTo("to be seen");
      tell.execute("NOTIFY news, 'rain'");
      PGNotification[] told =
          listener.unwrap(PGConnection.class).getNotifications((int) TimeUnit.SECONDS.toMillis(20));
      assertThat(told).hasSize(1);
      assertThat(told[0].getParameter()).isEqualTo("rain");
    }
  }

  @Test
  void aServerThatIsKilledInATransactionIsAFailureOfTheConnection() throws SQLException {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        Connection other = DriverManager.getConnection(database.jdbcUrl());
        PreparedStatement kill = other.prepareStatement("SELECT pg_terminate_backend(?)")) {
      connection.setAutoCommit(false);
      statement.execute("SELECT 1");
      kill.setInt(1, connection.unwrap(PGConnection.class).getBackendPID());
      kill.execute();
      assertThatThrownBy(() -> statement.execute("SELECT 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isIn("57P01", "08006"));
    }
  }

  @Test
  void aClientThatIsGoneTakesItsServerProcessWithIt() throws SQLException {
    try (Connection other = DriverManager.getConnection(database.jdbcUrl());
        PreparedStatement alive =
            other.prepareStatement("SELECT 1 FROM pg_stat_activity WHERE pid = ?")) {
      Connection connection = connect("");
      alive.setInt(1, connection.unwrap(PGConnection.class).getBackendPID());
      try (ResultSet row = alive.executeQuery()) {
        assertThat(row.next()).isTrue();
      }
      connection.abort(Runnable::run);
      Await.until(
          "the process is gone",
          () -> {
            try (ResultSet row = alive.executeQuery()) {
              return !row.next();
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  @Test
  void aStopLetsATransactionEndAndThenEndsTheSession() throws Exception {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("CREATE TEMP TABLE t (k int)");
      Duration most = sight == Sight.EVERYTHING ? Duration.ofSeconds(60) : Duration.ofSeconds(2);
      CompletableFuture<Void> drain = CompletableFuture.runAsync(() -> proxy.drain(most));
      Await.until("it listens no more", () -> !proxy.isListening());
      statement.execute("INSERT INTO t VALUES (1)");
      connection.commit();
      // Unseen, nobody knows that the transaction has ended, and the session is ended by time.
      drain.get(50, TimeUnit.SECONDS);
      assertThatThrownBy(() -> statement.execute("SELECT 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isIn("57P01", "08006"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended", "prepared"})
  void pgbenchRunsThroughIt(String mode) throws Exception {
    Program bench = new Program(proxy.port());
    bench.run("pgbench", "-i", "-s", "1", "-q", "postgres");
    String told = bench.run("pgbench", "-c", "8", "-j", "2", "-t", "100", "-M", mode, "postgres");
    assertThat(told).contains("number of transactions actually processed: 800/800");
    assertThat(told).contains("number of failed transactions: 0");
  }

  @Test
  void psqlRunsThroughIt() throws Exception {
    String told =
        new Program(proxy.port())
            .run(
                "psql",
                "-At",
                "-c",
                "SELECT 1; SELECT 2",
                "-c",
                "\\copy (SELECT generate_series(1, 3)) TO STDOUT",
                "postgres");
    assertThat(told.lines()).containsExactly("1", "2", "1", "2", "3");
  }
}
