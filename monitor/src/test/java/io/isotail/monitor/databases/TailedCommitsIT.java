package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What clients of PostgreSQL are told of their COMMITs, held against its log. */
final class TailedCommitsIT {
  private static final int ROWS = 2_000;
  private static final int LIES = 3;
  private static final int READS = 200;
  private static final String TABLE = "CREATE TABLE stock (id int PRIMARY KEY, n int, note text)";

  private volatile boolean ended;

  /** Lies of a kind: some more are made where a pause of the log hides one. */
  private static final class Lies {
    private static final long HIDDEN_NS = 20_000_000_000L;

    private final AtomicInteger left;
    private long madeNs = System.nanoTime();
    int all = LIES;

    Lies(AtomicInteger left) {
      this.left = left;
      left.set(LIES);
    }

    boolean areTold(long told) {
      if (told < LIES && left.get() <= 0 && System.nanoTime() - madeNs > HIDDEN_NS) {
        madeNs = System.nanoTime();
        all++;
        left.set(1);
      }
      return told >= LIES;
    }
  }

  @Test
  void commitsThatAProxySwallowsAreFoundAndNoOthersAreTold() throws Exception {
    EmbeddedDatabase database = EmbeddedDatabase.start(Map.of("wal_level", "logical"));
    try (TailedRun run = new TailedRun(TailedPostgresIT.server(database), Map.of());
        CommitSwallower liar = new CommitSwallower(database.port())) {
      run.execute(TABLE, "INSERT INTO stock SELECT i, 0 FROM generate_series(0, 1999) i");
      run.startTail();
      String url =
          run.url("shop").replace("localhost:" + database.port(), "127.0.0.1:" + liar.port())
              + "&sslmode=disable&gssEncMode=disable&preferQueryMode=simple";
      List<Future<?>> sessions = work(url, run.directUrl());
      goesOn(run);
      Lies commits = new Lies(liar.commits);
      Lies rollbacks = new Lies(liar.rollbacks);
      run.awaitReport(
          "the lies to be told",
          report ->
              commits.areTold(told(run, AnomalyKind.LOST_COMMIT))
                  & rollbacks.areTold(told(run, AnomalyKind.UNASKED_COMMIT)));
      goesOn(run);
      end(sessions);
      run.finished();
      assertThat(told(run, AnomalyKind.LOST_COMMIT)).isBetween((long) LIES, (long) commits.all);
      assertThat(told(run, AnomalyKind.UNASKED_COMMIT))
          .isBetween((long) LIES, (long) rollbacks.all);
    }
  }

  @Test
  void whatLooksLikeALostCommitIsNone() throws Exception {
    EmbeddedDatabase database = EmbeddedDatabase.start(Map.of("wal_level", "logical"));
    try (TailedRun run = new TailedRun(TailedPostgresIT.server(database), Map.of())) {
      run.execute(
          TABLE,
          "INSERT INTO stock SELECT i, 0 FROM generate_series(0, 1999) i",
          "ALTER SYSTEM SET wal_level = 'logical'",
          "ALTER SYSTEM SET wal_writer_delay = '2s'",
          "SELECT pg_reload_conf()");
      run.startTail();
      List<Future<?>> sessions = work(run.url("shop"), run.directUrl());
      goesOn(run);
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          Statement s = c.createStatement()) {
        for (int i = 0; i < 20; i++) {
          lookLost(c, s, i);
        }
      }
      goesOn(run);
      run.execute("ALTER PUBLICATION isotail DROP TABLE stock");
      goesOn(run);
      run.execute("ALTER PUBLICATION isotail ADD TABLE stock");
      goesOn(run);
      crash(database); // Some that were acknowledged are not there any more.
      goesOn(run);
      end(sessions);
      run.finished();
      assertThat(told(run, AnomalyKind.LOST_COMMIT)).isZero();
      assertThat(told(run, AnomalyKind.UNASKED_COMMIT)).isZero();
    }
  }

  /** What a session does that commits, and of which the log tells nothing, or not all. */
  private static void lookLost(Connection c, Statement s, int i) throws SQLException {
    c.setAutoCommit(false);
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + i);
    c.commit();
    s.execute("CREATE TEMP TABLE stock (id int PRIMARY KEY, n int, note text)");
    s.executeUpdate("INSERT INTO stock VALUES (%d, 1)".formatted(i));
    c.commit();
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + i);
    c.commit();
    s.execute("DROP TABLE pg_temp.stock");
    c.commit();
    Savepoint savepoint = c.setSavepoint();
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + i);
    c.rollback(savepoint);
    c.commit();
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + i);
    s.execute("PREPARE TRANSACTION 'p%d'".formatted(i));
    c.commit();
    c.setAutoCommit(true);
    s.execute((i % 2 == 0 ? "COMMIT" : "ROLLBACK") + " PREPARED 'p%d'".formatted(i));
    s.addBatch("UPDATE stock SET n = n + 1 WHERE id = " + i);
    s.addBatch("INSERT INTO stock VALUES (%d, 1)".formatted(i));
    try {
      s.executeBatch();
    } catch (BatchUpdateException e) {
      s.clearBatch(); // The row is there already, and so nothing of the batch was done.
    }
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + i);
  }

  private static void crash(EmbeddedDatabase database) throws Exception {
    Path data;
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement();
        ResultSet rows = s.executeQuery("SHOW data_directory")) {
      rows.next();
      data = Path.of(rows.getString(1));
    }
    long server = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).strip());
    ProcessHandle process = ProcessHandle.of(server).orElseThrow();
    process.destroyForcibly();
    process.onExit().get();
    database.restart();
  }

  private List<Future<?>> work(String captured, String direct) {
    ended = false;
    ExecutorService pool = Executors.newFixedThreadPool(4);
    List<Future<?>> sessions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int seed = i;
      sessions.add(pool.submit(() -> session(captured, seed)));
    }
    sessions.add(pool.submit(() -> session(direct, 3)));
    pool.shutdown();
    return sessions;
  }

  private void end(List<Future<?>> sessions) throws Exception {
    ended = true;
    for (Future<?> each : sessions) {
      each.get();
    }
  }

  /** Connects again where the server has gone. */
  private Void session(String url, int seed) throws InterruptedException {
    Random random = new Random(seed);
    while (!ended) {
      try (Connection c = DriverManager.getConnection(url);
          Statement s = c.createStatement()) {
        c.setAutoCommit(false);
        while (!ended) {
          transaction(c, s, random);
        }
      } catch (SQLException e) {
        Thread.sleep(50);
      }
    }
    return null;
  }

  private static void transaction(Connection c, Statement s, Random random) throws SQLException {
    int row = random.nextInt(ROWS);
    try (ResultSet rows = s.executeQuery("SELECT n FROM stock WHERE id = " + row)) {
      while (rows.next()) {
        assertThat(rows.getInt(1)).isNotNegative();
      }
    }
    s.executeUpdate("UPDATE stock SET n = n + 1 WHERE id = " + row);
    if (random.nextInt(8) == 0) {
      c.rollback();
    } else {
      c.commit();
    }
  }

  private static long told(TailedRun run, AnomalyKind kind) {
    CheckerReport report = run.report();
    return report == null
        ? 0
        : report.anomalies().values().stream().mapToLong(n -> n.getOrDefault(kind, 0L)).sum();
  }

  /** Waits until some more reads are decided. */
  private static void goesOn(TailedRun run) throws InterruptedException {
    CheckerReport report = run.report();
    long before = report == null ? 0 : report.readsDecided();
    run.awaitReport("more to be decided", now -> now.readsDecided() > before + READS);
  }
}
