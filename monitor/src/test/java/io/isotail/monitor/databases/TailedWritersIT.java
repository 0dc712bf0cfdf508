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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Captured writers whose statements do not name what they write: it is theirs, and not of the
 * transaction before or after.
 */
final class TailedWritersIT {
  private static final int ROUNDS = 60;

  @Test
  void whatTriggersViewsBatchesAndXaWriteIsOfTheirTransactions() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          "CREATE TABLE stock (id int PRIMARY KEY, n int)",
          "CREATE TABLE audit (note varchar(20))", // Without a key it is not observed.
          "CREATE TABLE items (id int PRIMARY KEY AUTO_INCREMENT, n int)",
          "CREATE TABLE plain (id int PRIMARY KEY, n int) ENGINE=MyISAM",
          "INSERT INTO plain VALUES (1, 0)",
          "CREATE VIEW some AS SELECT id, n FROM stock WHERE n >= 0",
          "CREATE TRIGGER audited AFTER INSERT ON audit FOR EACH ROW"
              + " UPDATE stock SET n = n + 1 WHERE id < 3");
      for (int i = 0; i < 10; i++) {
        run.execute("INSERT INTO stock VALUES (%d, 0)".formatted(i));
      }
      run.startTail();
      ExecutorService pool = Executors.newFixedThreadPool(4);
      Future<?>[] all = {
        pool.submit(work(run, TailedWritersIT::byView)),
        pool.submit(work(run, TailedWritersIT::byTrigger)),
        pool.submit(work(run, TailedWritersIT::byBatch)),
        pool.submit(work(run, TailedWritersIT::byXa))
      };
      for (Future<?> each : all) {
        each.get();
      }
      pool.shutdown();
      CheckerReport report = run.finished();
      assertThat(report.anomalies()).isEmpty();
      assertThat(report.badRecords()).isZero();
      assertThat(report.readsDecided()).isGreaterThan(ROUNDS * 2L);
    }
  }

  /** What a session does in one round, in autocommit mode or in a transaction. */
  private interface Round {
    void run(Connection c, Statement s, int round) throws SQLException;
  }

  private static Callable<Void> work(TailedRun run, Round round) {
    return () -> {
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          Statement s = c.createStatement()) {
        c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        for (int i = 0; i < ROUNDS; i++) {
          try {
            round.run(c, s, i);
            readAll(s);
            s.executeUpdate("UPDATE stock SET n = n WHERE id = 5"); // Changes nothing.
            readAll(s);
          } catch (SQLException e) {
            if (e.getErrorCode() != 1213 && e.getErrorCode() != 1020) {
              throw e;
            }
            c.rollback(); // A deadlock.
          } finally {
            c.setAutoCommit(true);
          }
        }
      }
      return null;
    };
  }

  private static void readAll(Statement s) throws SQLException {
    try (ResultSet rows = s.executeQuery("SELECT id, n FROM stock")) {
      while (rows.next()) {
        assertThat(rows.getInt(1)).isBetween(0, 9);
      }
    }
  }

  private static void byView(Connection c, Statement s, int round) throws SQLException {
    c.setAutoCommit(round % 2 == 0);
    readAll(s);
    s.executeUpdate("UPDATE some SET n = n + 1 WHERE id = " + (round % 4));
    if (round % 2 == 1) {
      c.commit();
    }
  }

  private static void byTrigger(Connection c, Statement s, int round) throws SQLException {
    c.setAutoCommit(round % 2 == 0);
    s.executeUpdate("INSERT INTO audit VALUES ('x')");
    if (round % 2 == 1) {
      s.executeUpdate("UPDATE plain SET n = n + 1 WHERE id = 1");
      c.rollback(); // What was written to MyISAM stands in the log.
    }
  }

  private static void byBatch(Connection c, Statement s, int round) throws SQLException {
    c.setAutoCommit(true);
    try (PreparedStatement p = c.prepareStatement("UPDATE stock SET n = n + 1 WHERE id = ?")) {
      for (int i = 0; i < 3; i++) {
        p.setInt(1, 20 * (round % 2) + i); // Every other round finds no row.
        p.addBatch();
      }
      p.executeBatch();
    }
    s.addBatch("INSERT INTO items (n) VALUES (1)");
    s.addBatch("INSERT INTO audit VALUES ('y')");
    s.addBatch("UPDATE stock SET n = n - 1 WHERE id = 3");
    s.executeBatch();
  }

  private static void byXa(Connection c, Statement s, int round) throws SQLException {
    c.setAutoCommit(true);
    s.execute("XA START 'x'");
    try {
      readAll(s);
      s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id IN (3, 4)");
      s.execute("XA END 'x'");
    } catch (SQLException deadlock) {
      s.execute("XA ROLLBACK 'x'");
      return;
    }
    s.execute(round % 3 == 0 ? "XA ROLLBACK 'x'" : "XA COMMIT 'x' ONE PHASE");
  }
}
