package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * What happens to tables, a publication and a slot while PostgreSQL's log is followed: nothing is
 * told that did not happen, and the log is followed again.
 */
final class TailedPostgresDefinitionsIT {
  private static final int ROWS = 60;
  private static final int READS = 300;
  private static final List<String> TABLES = List.of("stock", "parts", "wide", "odd");

  private volatile boolean ended;

  @Test
  void whateverHappensToTablesNoAlarmIsFalseAndTheLogIsFollowedAgain() throws Exception {
    try (TailedRun run =
        new TailedRun(
            TailedPostgresIT.server(Map.of("max_prepared_transactions", "5")), Map.of())) {
      run.execute(
          "CREATE TABLE stock (id int PRIMARY KEY, n int, note text)",
          "CREATE TABLE parts (id int PRIMARY KEY, n int, note text) PARTITION BY RANGE (id)",
          "CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (30)",
          "CREATE TABLE parts_high PARTITION OF parts FOR VALUES FROM (30) TO (100000)",
          "CREATE TABLE wide (id int PRIMARY KEY, n int, note text)",
          "ALTER TABLE wide REPLICA IDENTITY FULL",
          "CREATE TABLE odd (id int PRIMARY KEY, n int NOT NULL, note text)",
          "CREATE UNIQUE INDEX odd_n ON odd (id, n)",
          "CREATE TABLE keyless (n int)");
      run.startTail();
      ExecutorService pool = Executors.newFixedThreadPool(4);
      List<Future<?>> all = new ArrayList<>();
      all.add(pool.submit(() -> work(run.url("shop"), 1)));
      all.add(pool.submit(() -> work(run.url("shop"), 2)));
      all.add(pool.submit(() -> work(run.directUrl(), 3)));
      goesOn(run);
      run.execute(
          "TRUNCATE stock",
          // Others insert meanwhile.
          "INSERT INTO stock SELECT i, 0, 'x' FROM generate_series(0, 9) i"
              + " ON CONFLICT (id) DO UPDATE SET n = 0");
      goesOn(run);
      run.execute("TRUNCATE parts_low");
      goesOn(run);
      run.execute("DROP TABLE stock", "CREATE TABLE stock (id int PRIMARY KEY, n int, note text)");
      goesOn(run);
      run.execute(
          "CREATE TABLE spare (id int PRIMARY KEY, n int, note text)",
          "INSERT INTO spare SELECT i, 7, 'y' FROM generate_series(20, 40) i",
          "BEGIN; ALTER TABLE stock RENAME TO old; ALTER TABLE spare RENAME TO stock; COMMIT");
      goesOn(run);
      run.execute("UPDATE old SET n = n + 1", "DELETE FROM old WHERE id < 20");
      goesOn(run);
      run.execute(
          "ALTER TABLE parts DETACH PARTITION parts_high",
          "DELETE FROM parts_high WHERE id > 40",
          "ALTER TABLE parts ATTACH PARTITION parts_high FOR VALUES FROM (30) TO (100000)");
      goesOn(run);
      run.execute("ALTER TABLE odd REPLICA IDENTITY USING INDEX odd_n");
      goesOn(run);
      run.execute("ALTER TABLE odd REPLICA IDENTITY NOTHING");
      goesOn(run);
      run.execute("ALTER PUBLICATION isotail DROP TABLE wide");
      goesOn(run);
      run.execute(
          "ALTER TABLE stock ADD COLUMN m int DEFAULT 5", "ALTER TABLE stock ALTER id TYPE bigint");
      goesOn(run);
      run.execute(
          "BEGIN; UPDATE wide SET n = n + 1 WHERE id < 3; PREPARE TRANSACTION 'p'",
          "COMMIT PREPARED 'p'",
          "INSERT INTO keyless VALUES (1)",
          "UPDATE keyless SET n = 2");
      goesOn(run);
      run.execute("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active");
      goesOn(run);
      run.stopTail();
      goesOn(run);
      run.startTail();
      goesOn(run);
      ended = true;
      for (Future<?> each : all) {
        each.get();
      }
      pool.shutdown();
      CheckerReport report = run.finished();
      System.out.println(report);
      assertThat(report.anomalies()).isEmpty();
      assertThat(report.badRecords()).isZero();
      assertThat(slots(run)).isZero();
    }
  }

  private static int slots(TailedRun run) throws SQLException {
    try (Connection c = DriverManager.getConnection(run.directUrl());
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery("SELECT count(*) FROM pg_replication_slots")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** Waits until some more reads are decided. */
  private static void goesOn(TailedRun run) throws InterruptedException {
    CheckerReport report = run.report();
    long before = report == null ? 0 : report.readsDecided();
    run.awaitReport("more to be decided", now -> now.readsDecided() > before + READS);
    Objects.requireNonNull(run.report());
  }

  private Void work(String url, int seed) throws SQLException {
    Random random = new Random(seed);
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement()) {
      while (!ended) {
        c.setAutoCommit(random.nextInt(3) == 0);
        c.setTransactionIsolation(
            random.nextBoolean()
                ? Connection.TRANSACTION_SERIALIZABLE
                : Connection.TRANSACTION_REPEATABLE_READ);
        try {
          for (int i = 0; i < 3; i++) {
            step(s, random);
          }
          if (!c.getAutoCommit()) {
            c.commit();
          }
        } catch (SQLException e) {
          // A conflict, or a table that is not there or another one at the moment.
          assertThat(String.valueOf(e.getSQLState())).matches("(40|42|23|0A|25|55).*");
          if (!c.getAutoCommit()) {
            c.rollback();
          }
        }
      }
    }
    return null;
  }

  private static void step(Statement s, Random random) throws SQLException {
    String table = TABLES.get(random.nextInt(TABLES.size()));
    int row = random.nextInt(ROWS);
    switch (random.nextInt(8)) {
      case 0 ->
          s.executeUpdate(
              "INSERT INTO %s (id, n, note) VALUES (%d, 0, repeat('long', %d)) ON CONFLICT DO NOTHING"
                  .formatted(table, row, random.nextInt(3) == 0 ? 5_000 : 1));
      case 1 -> s.executeUpdate("UPDATE %s SET n = n + 1 WHERE id = %d".formatted(table, row));
      case 2 -> s.executeUpdate("DELETE FROM %s WHERE id = %d".formatted(table, row));
      case 3 ->
          s.executeUpdate(
              "UPDATE %s SET id = %d WHERE id = %d".formatted(table, random.nextInt(ROWS), row));
      default -> {
        try (ResultSet rows =
            s.executeQuery("SELECT id, n FROM %s WHERE id = %d".formatted(table, row))) {
          while (rows.next()) {
            assertThat(rows.getInt(1)).isEqualTo(row);
          }
        }
      }
    }
  }
}
