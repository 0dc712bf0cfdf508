package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What happens to a log while it is followed: nothing is told that did not happen. */
final class TailedInterruptionsIT {
  private static final int ROWS = 200;
  private static final int READS = 500;

  private volatile boolean ended;

  @Test
  void whateverHappensToTheLogNoAlarmIsFalseAndItIsFollowedAgain() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute("CREATE TABLE stock (id int PRIMARY KEY, n int, note varchar(20))");
      for (int i = 0; i < ROWS; i++) {
        run.execute("INSERT INTO stock VALUES (%d, 0, 'n')".formatted(i));
      }
      run.startTail();
      ExecutorService pool = Executors.newFixedThreadPool(3);
      Future<?> one = pool.submit(() -> work(run.url("shop"), 1));
      Future<?> other = pool.submit(() -> work(run.url("shop"), 2));
      Future<?> stranger = pool.submit(() -> work(run.directUrl(), 3));
      goesOn(run);
      run.execute("FLUSH BINARY LOGS");
      goesOn(run);
      killDump(run);
      goesOn(run);
      run.execute(
          "CREATE TABLE many (id int PRIMARY KEY, n int)",
          "INSERT INTO many SELECT seq, 0 FROM seq_1_to_7000",
          "UPDATE many SET n = 1",
          "TRUNCATE many");
      run.execute("CREATE TABLE more (id int PRIMARY KEY)", "INSERT INTO more VALUES (1)");
      goesOn(run);
      run.execute("ALTER TABLE stock ADD COLUMN m int DEFAULT 5");
      goesOn(run);
      run.stopTail();
      run.startTail();
      goesOn(run);
      ended = true;
      one.get();
      other.get();
      stranger.get();
      pool.shutdown();
      CheckerReport report = run.finished();
      assertThat(report.anomalies()).isEmpty();
      assertThat(report.badRecords()).isZero();
    }
  }

  /** What is known by a number of a transaction is not told of another one. */
  @Test
  void aLogThatIsResetIsFollowedNoMore() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute("CREATE TABLE stock (id int PRIMARY KEY, n int)");
      run.startTail();
      for (int i = 0; i < 20; i++) {
        run.execute("INSERT INTO stock VALUES (%d, 0)".formatted(i));
      }
      run.awaitTold(21);
      run.execute("RESET MASTER");
      assertThat(run.awaitTailsEnd()).contains("was reset").contains("history of another name");
    }
  }

  /** Some hundred reads more are decided. */
  private static void goesOn(TailedRun run) throws InterruptedException {
    run.awaitReport("reads", report -> report.transactions() > 0);
    long before = Objects.requireNonNull(run.report()).readsDecided();
    run.awaitReport("reads to be decided", r -> r.readsDecided() - before > READS);
  }

  private static void killDump(TailedRun run) throws SQLException {
    try (Connection c = DriverManager.getConnection(run.directUrl());
        Statement s = c.createStatement();
        ResultSet dumps =
            s.executeQuery(
                "SELECT id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%'")) {
      assertThat(dumps.next()).isTrue();
      run.execute("KILL " + dumps.getLong(1));
    }
  }

  private Void work(String url, long seed) throws Exception {
    Random random = new Random(seed);
    try (Connection c = DriverManager.getConnection(url)) {
      c.setAutoCommit(false);
      c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      while (!ended) {
        try (PreparedStatement read = c.prepareStatement("SELECT n FROM stock WHERE id = ?");
            PreparedStatement write = c.prepareStatement("UPDATE stock SET n = ? WHERE id = ?")) {
          int id = random.nextInt(ROWS);
          read.setInt(1, id);
          try (ResultSet row = read.executeQuery()) {
            row.next();
            write.setInt(1, row.getInt(1) + 1);
          }
          write.setInt(2, id);
          write.executeUpdate();
          c.commit();
        } catch (SQLException e) {
          c.rollback(); // A deadlock, or a table that was changed.
        }
      }
    }
    return null;
  }
}
