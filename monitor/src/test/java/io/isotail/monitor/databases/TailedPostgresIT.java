package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/**
 * PostgreSQL whose log is followed: what people at a prompt, COPY, triggers and functions write is
 * of somebody, and so is that a row is not there.
 */
final class TailedPostgresIT {
  private static final int ROWS = 2_000;
  private static final int COPIED = 10_000;
  private static final int ROUNDS = 1_500;

  private volatile boolean ended;

  @Test
  void whatOthersWriteAndRemoveIsDecidedAndNoAlarmIsFalse() throws Exception {
    CheckerReport with = run(true);
    CheckerReport without = run(false);
    System.out.printf("with the log: %s%nwithout: %s%n", with, without);
    assertThat(with.anomalies()).isEmpty();
    assertThat(without.anomalies()).isEmpty();
    assertThat(with.badRecords()).isZero();
    double decided = (double) with.readsDecided() / with.reads();
    assertThat(decided).as(with.toString()).isGreaterThan(0.95);
    assertThat(decided).isGreaterThan((double) without.readsDecided() / without.reads());
  }

  private CheckerReport run(boolean followed) throws Exception {
    try (TailedRun run = new TailedRun(server(Map.of()), Map.of("promise", "serializable"))) {
      run.execute(
          "CREATE TABLE stock (id int PRIMARY KEY, n int)",
          "CREATE TABLE items (id bigint PRIMARY KEY, note text)",
          "CREATE TABLE audit (note text)", // Without a key it is not observed.
          """
          CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            BEGIN
              UPDATE stock SET n = n + 1 WHERE id = 1;
            EXCEPTION WHEN unique_violation THEN NULL;
            END;
            RETURN NULL;
          END $$""",
          "CREATE TRIGGER audited AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION audited()",
          "INSERT INTO stock SELECT i, 0 FROM generate_series(0, 999) i");
      if (followed) {
        run.startTail();
      }
      ended = false;
      ExecutorService pool = Executors.newFixedThreadPool(5);
      List<Future<?>> captured = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int seed = i;
        captured.add(pool.submit(() -> work(run.url("shop"), seed, ROUNDS)));
      }
      Future<?> stranger = pool.submit(() -> strange(run.directUrl()));
      for (Future<?> each : captured) {
        each.get();
      }
      ended = true;
      stranger.get();
      pool.shutdown();
      return run.finished();
    }
  }

  /** A server whose log can be followed. */
  static DatabaseServer server(Map<String, String> more) throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("wal_level", "logical");
    return server(EmbeddedDatabase.start(settings));
  }

  /** A server that runs. */
  static DatabaseServer server(EmbeddedDatabase database) {
    return new DatabaseServer() {
      @Override
      public List<String> urls() {
        return List.of(database.jdbcUrl());
      }

      @Override
      public void close() throws IOException {
        database.close();
      }
    };
  }

  private Void work(String url, int seed, int rounds) throws SQLException {
    Random random = new Random(seed);
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement()) {
      c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      for (int i = 0; i < rounds; i++) {
        c.setAutoCommit(random.nextInt(3) == 0);
        try {
          for (int j = 1 + random.nextInt(3); j > 0; j--) {
            step(c, s, random);
          }
          if (!c.getAutoCommit()) {
            c.commit();
          }
        } catch (SQLException e) {
          requireConflict(e);
          if (!c.getAutoCommit()) {
            c.rollback();
          }
        }
      }
    }
    return null;
  }

  private static void requireConflict(SQLException e) throws SQLException {
    // A conflict, a deadlock, a row that is there already.
    if (!List.of("40001", "40P01", "23505").contains(String.valueOf(e.getSQLState()))) {
      throw e;
    }
  }

  private static void step(Connection c, Statement s, Random random) throws SQLException {
    int row = random.nextInt(ROWS);
    switch (random.nextInt(9)) {
      case 0 -> s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + row);
      case 1 -> s.executeUpdate("DELETE FROM items WHERE id = " + row);
      case 2 ->
          s.executeUpdate(
              "INSERT INTO items VALUES (%d, 'i') ON CONFLICT DO NOTHING".formatted(row));
      case 3 -> s.executeUpdate("INSERT INTO audit VALUES ('a')");
      case 4 -> inSavepoint(c, s, random, row);
      default -> {
        for (String table : List.of("stock", "items")) {
          try (PreparedStatement p =
              c.prepareStatement("SELECT * FROM %s WHERE id = ?".formatted(table))) {
            p.setInt(1, row);
            try (ResultSet rows = p.executeQuery()) {
              while (rows.next()) {
                assertThat(rows.getInt(1)).isEqualTo(row);
              }
            }
          }
        }
      }
    }
  }

  private static void inSavepoint(Connection c, Statement s, Random random, int row)
      throws SQLException {
    if (c.getAutoCommit()) {
      return;
    }
    Savepoint savepoint = c.setSavepoint();
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + row);
    if (random.nextInt(3) == 0) {
      c.rollback(savepoint);
    } else {
      c.releaseSavepoint(savepoint);
    }
  }

  /** Somebody whom nobody captures. */
  private Void strange(String url) throws Exception {
    Random random = new Random(77);
    try (Connection c = DriverManager.getConnection(url);
        Statement s = c.createStatement()) {
      c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      for (int i = 0; !ended; i++) {
        c.setAutoCommit(false);
        try {
          step(c, s, random);
          step(c, s, random);
          if (i % 5 == 0) {
            String rows = "%d\tc\n%d\tc\n".formatted(COPIED + 2 * i, COPIED + 2 * i + 1);
            c.unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY items FROM STDIN", new StringReader(rows));
            s.executeUpdate("DELETE FROM items WHERE id >= " + COPIED);
          }
          c.commit();
        } catch (SQLException e) {
          requireConflict(e);
          c.rollback();
        }
      }
    }
    return null;
  }
}
