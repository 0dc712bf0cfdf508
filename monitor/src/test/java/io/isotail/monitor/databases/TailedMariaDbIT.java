package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * MariaDB whose binary log is followed: some clients are captured, others write past isotail, and a
 * trigger writes what no statement names.
 */
final class TailedMariaDbIT {
  @Test
  void lostUpdatesAreFoundAndNamedAtRepeatableRead() throws Exception {
    try (TailedRun run =
        new TailedRun(
            MariaDbServer.logged(),
            Map.of("promises.mariadb:repeatable-read", "snapshot-isolation"))) {
      CheckerReport report = shop(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies().get(IsolationLevel.SNAPSHOT_ISOLATION))
          .containsKey(AnomalyKind.LOST_UPDATE);
      assertThat(report.anomalies()).containsOnlyKeys(IsolationLevel.SNAPSHOT_ISOLATION);
    }
  }

  @Test
  void whatRepeatableReadPromisesIsKept() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      CheckerReport report = shop(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void nothingIsLostWithSnapshotIsolation() throws Exception {
    try (TailedRun run =
        new TailedRun(
            MariaDbServer.logged("--innodb-snapshot-isolation=ON"),
            Map.of("promises.mariadb:repeatable-read", "snapshot-isolation"))) {
      CheckerReport report = shop(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void nothingIsLostAtSerializable() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      CheckerReport report = shop(run, Connection.TRANSACTION_SERIALIZABLE);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void readCommittedIsKept() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      CheckerReport report = shop(run, Connection.TRANSACTION_READ_COMMITTED);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  /** A value that the log showed in another way than a query does would leave its row undecided. */
  @Test
  void everyValueIsTheSameInTheLogAndInAQuery() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          """
          CREATE TABLE every_type (
            id int unsigned PRIMARY KEY, t varchar(200), l varchar(50) CHARACTER SET latin1,
            c char(20), a varchar(20) CHARACTER SET ascii, i bigint, u bigint unsigned,
            s smallint unsigned, m mediumint unsigned, y tinyint, n decimal(20,5), f float, d double,
            p datetime, q datetime(6), r timestamp(2) NULL, k date, e enum('x', 'y', 'z'),
            g set('1', '2', '3'), b bit(20), h binary(6), v varbinary(30), o text, w time, z uuid,
            x int AS (y + 1) VIRTUAL) CHARACTER SET utf8mb4
          """);
      run.startTail();
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          PreparedStatement insert =
              c.prepareStatement(
                  "INSERT INTO every_type (id, t, l, c, a, i, u, s, m, y, n, f, d, p, q, r, k, e, g, b, h, v, o, w, z)"
                      + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
          PreparedStatement read = c.prepareStatement("SELECT * FROM every_type WHERE id = ?")) {
        for (int i = 0; i < 500; i++) {
          long id = 4_294_967_295L - i;
          insert.setLong(1, id);
          Object[] values = RandomRow.of(random);
          for (int j = 0; j < values.length; j++) {
            insert.setObject(j + 2, random.nextInt(8) == 0 ? null : values[j]);
          }
          insert.executeUpdate();
          read.setLong(1, id);
          try (ResultSet row = read.executeQuery()) {
            assertThat(row.next()).isTrue();
          }
        }
      }
      CheckerReport report = run.finished();
      assertThat(report.reads()).isEqualTo(500);
      assertThat(report.undecided()).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void aUuidIsAKey() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    long read = 0;
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute("CREATE TABLE by_uuid (id uuid PRIMARY KEY, v int)");
      run.startTail();
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          PreparedStatement insert =
              c.prepareStatement("INSERT IGNORE INTO by_uuid VALUES (?, ?)");
          PreparedStatement select = c.prepareStatement("SELECT v FROM by_uuid WHERE id = ?");
          Statement s = c.createStatement()) {
        for (int i = 0; i < 200; i++) {
          UUID id =
              i == 7 ? new UUID(0, 0) : i % 2 == 0 ? UUID.randomUUID() : RandomRow.uuid(random);
          insert.setObject(1, id);
          insert.setInt(2, i);
          insert.executeUpdate();
          select.setObject(1, random.nextBoolean() ? id : id.toString());
          try (ResultSet row = select.executeQuery()) {
            assertThat(row.next()).isTrue();
            read++;
          }
          if (i % 10 == 0) {
            s.executeUpdate("UPDATE by_uuid SET v = v + 1000");
          }
        }
        try (ResultSet all = s.executeQuery("SELECT id, v FROM by_uuid")) {
          while (all.next()) {
            assertThat(all.getString(1)).hasSize(36);
            read++;
          }
        }
      }
      CheckerReport report = run.finished();
      assertThat(report.reads()).isEqualTo(read);
      assertThat(report.undecided()).as("seed %d", seed).isEmpty();
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void namesThatMeanOtherTablesAreNotTakenForObservedOnes() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          "CREATE TABLE t (id int PRIMARY KEY, v int)",
          "INSERT INTO t VALUES (1, 1)",
          "CREATE DATABASE other",
          "CREATE TABLE other.t (id int PRIMARY KEY, v int)",
          "INSERT INTO other.t VALUES (1, 7)",
          "CREATE TABLE by_uuid (id uuid PRIMARY KEY, v int)");
      run.startTail();
      try (Connection c = DriverManager.getConnection(run.url("shop"));
          Statement s = c.createStatement()) {
        assertThat(read(s, "t")).isEqualTo(1); // captured
        s.execute("USE other");
        assertThat(read(s, "t")).isEqualTo(7);
        assertThat(read(s, "isotail.t")).isEqualTo(1); // captured
        s.execute("USE isotail");
        assertThat(read(s, "t")).isEqualTo(1); // captured
        run.execute("INSERT INTO by_uuid VALUES (UUID(), 1)"); // The log goes on.
        s.execute("UPDATE t SET v = 2");
        assertThat(read(s, "t")).isEqualTo(2); // captured
        assertThat(locked(s)).isEqualTo(2);
        s.execute("CREATE TEMPORARY TABLE t (id int PRIMARY KEY, v int)");
        s.execute("INSERT INTO t VALUES (1, 9)");
        assertThat(read(s, "t")).isEqualTo(9);
      }
      CheckerReport report = run.finished();
      assertThat(report.reads()).isEqualTo(5);
      assertThat(report.undecided()).isEmpty();
    }
  }

  private static int locked(Statement s) throws SQLException {
    try (ResultSet row = s.executeQuery("SELECT v FROM t WHERE id = 1 LOCK IN SHARE MODE")) {
      assertThat(row.getMetaData().getColumnCount()).isOne();
      row.next();
      return row.getInt(1);
    }
  }

  private static int read(Statement s, String table) throws SQLException {
    try (ResultSet row = s.executeQuery("SELECT v FROM " + table + " WHERE id = 1")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static CheckerReport shop(TailedRun run, int level) throws Exception {
    AccountsWorkload.prepare(run);
    List<String> clients = new ArrayList<>(Collections.nCopies(5, run.url("shop")));
    clients.add(run.directUrl());
    AccountsWorkload.work(clients, level);
    return AccountsWorkload.finished(run);
  }
}
