package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A tail that is started again goes on, and a definition costs what it defines. */
final class TailedRestartsIT {
  private static final int ROWS = 60;

  private long reads;

  @Test
  void whatWasToldBeforeARestartIsKnownBehindIt() throws Exception {
    try (TailedRun run = stock();
        Connection app = DriverManager.getConnection(run.url("shop"))) {
      assertThat(undecidedOf(run, app, "stock")).isZero();
      run.stopTail();
      run.execute("UPDATE stock SET n = 1 WHERE id < 10");
      run.startTail();
      assertThat(undecidedOf(run, app, "stock")).isZero();
      run.execute("UPDATE stock SET n = 2 WHERE id < 5");
      assertThat(undecidedOf(run, app, "stock")).isZero();
      assertThat(run.finished().anomalies()).isEmpty();
    }
  }

  @Test
  void aDefinitionCostsNoOtherTable() throws Exception {
    try (TailedRun run = stock();
        Connection app = DriverManager.getConnection(run.url("shop"))) {
      assertThat(undecidedOf(run, app, "stock")).isZero();
      run.execute(
          "ALTER TABLE other ADD COLUMN m int DEFAULT 5",
          "UPDATE stock SET n = 2 WHERE id < 10",
          "TRUNCATE other",
          "INSERT INTO other SELECT seq, 1, 1 FROM seq_1_to_" + ROWS,
          "ALTER TABLE other RENAME another",
          "UPDATE stock SET n = 3 WHERE id < 5");
      assertThat(undecidedOf(run, app, "stock")).isZero();
      run.execute("DROP TABLE another", "CREATE TABLE third (id int PRIMARY KEY, n int)");
      assertThat(undecidedOf(run, app, "stock")).isZero();
      assertThat(run.finished().anomalies()).isEmpty();
    }
  }

  private static TailedRun stock() throws Exception {
    TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of());
    run.execute(
        "CREATE TABLE stock (id int PRIMARY KEY, n int)",
        "CREATE TABLE other (id int PRIMARY KEY, n int)",
        "INSERT INTO other VALUES (1, 1)",
        "INSERT INTO stock SELECT seq, 0 FROM seq_1_to_" + ROWS);
    run.startTail();
    return run;
  }

  /** Reads rows 1 to 60, each in a transaction of its own, once one of these is decided. */
  private long undecidedOf(TailedRun run, Connection app, String table)
      throws SQLException, InterruptedException {
    long decided = checked(run).readsDecided();
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    do {
      read(app, table, 1);
      assertThat(System.nanoTime()).as("%s", run.report()).isLessThan(deadlineNs);
    } while (checked(run).readsDecided() == decided);
    long undecided = checked(run).readsUndecided();
    for (int id = 1; id <= ROWS; id++) {
      read(app, table, id);
    }
    return checked(run).readsUndecided() - undecided;
  }

  private void read(Connection app, String table, int id) throws SQLException {
    try (PreparedStatement read =
        app.prepareStatement("SELECT n FROM %s WHERE id = ?".formatted(table))) {
      read.setInt(1, id);
      try (ResultSet rows = read.executeQuery()) {
        while (rows.next()) {
          rows.getInt(1);
        }
      }
      reads++;
    }
  }

  /** What is known once all reads are checked. */
  private CheckerReport checked(TailedRun run) throws InterruptedException {
    run.awaitReport("all reads", report -> report.reads() >= reads);
    return Objects.requireNonNull(run.report());
  }
}
