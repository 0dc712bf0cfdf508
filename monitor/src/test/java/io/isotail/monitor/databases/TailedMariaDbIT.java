package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * A shop on MariaDB whose binary log is followed: some of its clients are captured, others write
 * past isotail, and a trigger writes what no statement names.
 */
final class TailedMariaDbIT {
  private static final int ACCOUNTS = 20;
  private static final int THREADS = 5;
  private static final int TRANSACTIONS = 400;
  private static final double MOST = 0.95;

  private static final String[] TABLES = {
    """
    CREATE TABLE Accounts (
      id bigint PRIMARY KEY, `Owner` varchar(40), balance decimal(10,2), rate float, factor double,
      since datetime(6), seen timestamp(3) NULL, kind enum('a', 'b'), flags bit(3), open boolean,
      code char(8), tag binary(4), small smallint unsigned, born date)
    """,
    "CREATE TABLE orders (id varchar(20), line int, account bigint, amount int, note text,"
        + " PRIMARY KEY (id, line))",
    "CREATE TABLE journal (id bigint AUTO_INCREMENT PRIMARY KEY, account bigint, balance decimal(10,2))",
    """
    CREATE TRIGGER journal_of_accounts AFTER UPDATE ON Accounts FOR EACH ROW
      INSERT INTO journal (account, balance) VALUES (NEW.id, NEW.balance)
    """
  };

  @Test
  void lostUpdatesAreFoundAndNamedAtRepeatableRead() throws Exception {
    try (TailedRun run =
        new TailedRun(
            MariaDbServer.logged(),
            Map.of("promises.mariadb:repeatable-read", "snapshot-isolation"))) {
      CheckerReport report = run(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies().get(IsolationLevel.SNAPSHOT_ISOLATION))
          .containsKey(AnomalyKind.LOST_UPDATE);
      assertThat(report.anomalies()).containsOnlyKeys(IsolationLevel.SNAPSHOT_ISOLATION);
    }
  }

  @Test
  void whatRepeatableReadPromisesIsKept() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      CheckerReport report = run(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void nothingIsLostWithSnapshotIsolation() throws Exception {
    try (TailedRun run =
        new TailedRun(
            MariaDbServer.logged("--innodb-snapshot-isolation=ON"),
            Map.of("promises.mariadb:repeatable-read", "snapshot-isolation"))) {
      CheckerReport report = run(run, Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void nothingIsLostAtSerializable() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      CheckerReport report = run(run, Connection.TRANSACTION_SERIALIZABLE);
      assertThat(report.anomalies()).isEmpty();
    }
  }

  @Test
  void readCommittedIsKept() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      CheckerReport report = run(run, Connection.TRANSACTION_READ_COMMITTED);
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

  private static CheckerReport run(TailedRun run, int level) throws Exception {
    run.execute(TABLES);
    for (int i = 0; i < ACCOUNTS; i++) {
      run.execute(
          """
          INSERT INTO Accounts VALUES (%1$d, 'O''Neil %1$d', 100, 1.1, 2.5, NOW(6), NOW(3), 'b', b'101',
            true, 'x', 'ab', 60000, '2024-02-29')
          """
              .formatted(i));
    }
    run.startTail();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
    List<Future<?>> done = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      long seed = t;
      done.add(pool.submit(() -> work(run.url("shop"), level, new Random(seed))));
    }
    done.add(pool.submit(() -> work(run.directUrl(), level, new Random(THREADS))));
    for (Future<?> each : done) {
      each.get();
    }
    pool.shutdown();
    CheckerReport report = run.finished();
    System.out.printf(
        "reads %d decided %d foreign %d undecided %s anomalies %s coverage %.4f transactions %d aborted %d doubts %s capture %s%n",
        report.reads(),
        report.readsDecided(),
        report.readsForeign(),
        report.undecided(),
        report.anomalies(),
        report.coverage(),
        report.transactions(),
        report.aborted(),
        report.levels().get(IsolationLevel.READ_COMMITTED),
        report.capture());
    assertThat(report.coverage()).isGreaterThan(MOST);
    assertThat(report.capture().readsNotCaptured()).isZero();
    return report;
  }

  private static Void work(String url, int level, Random random) throws Exception {
    try (Connection c = DriverManager.getConnection(url)) {
      c.setAutoCommit(false);
      c.setTransactionIsolation(level);
      for (int i = 0; i < TRANSACTIONS; i++) {
        try {
          transaction(c, random);
          if (random.nextInt(20) == 0) {
            c.rollback();
          } else {
            c.commit();
          }
        } catch (SQLException e) {
          c.rollback(); // A deadlock, or a conflict.
        }
      }
    }
    return null;
  }

  private static void transaction(Connection c, Random random) throws SQLException {
    switch (random.nextInt(8)) {
      case 0, 1, 2 -> deposit(c, random, "");
      case 3 -> deposit(c, random, " FOR UPDATE");
      case 4 -> order(c, random);
      case 5 -> look(c, random);
      case 6 -> {
        try (Statement s = c.createStatement()) {
          s.executeUpdate(
              "UPDATE Accounts SET rate = rate + 0.5, seen = NOW(3), flags = flags + 0, `Owner` = CONCAT('w', %d) WHERE id > %d AND id < %2$d + 3"
                  .formatted(random.nextInt(), random.nextInt(ACCOUNTS)));
        }
      }
      default -> {
        look(c, random);
        deposit(c, random, "");
        look(c, random);
      }
    }
  }

  /** Reads a balance, and writes what it has computed. */
  private static void deposit(Connection c, Random random, String locking) throws SQLException {
    long id = random.nextInt(ACCOUNTS);
    try (PreparedStatement read =
            c.prepareStatement("SELECT `Owner`, balance FROM Accounts WHERE id = ?" + locking);
        PreparedStatement write =
            c.prepareStatement("UPDATE Accounts SET balance = ? WHERE id = ?")) {
      read.setLong(1, id);
      try (ResultSet row = read.executeQuery()) {
        row.next();
        write.setBigDecimal(
            1, row.getBigDecimal(2).add(BigDecimal.valueOf(random.nextInt(1_000), 2)));
      }
      write.setLong(2, id);
      write.executeUpdate();
    }
  }

  /** Makes an order where there is none, or removes it. */
  private static void order(Connection c, Random random) throws SQLException {
    String id = "o" + random.nextInt(10);
    try (PreparedStatement read =
            c.prepareStatement("SELECT amount FROM orders WHERE id = ? AND line = 1");
        PreparedStatement insert =
            c.prepareStatement("INSERT INTO orders VALUES (?, 1, ?, ?, 'note')");
        PreparedStatement delete = c.prepareStatement("DELETE FROM orders WHERE id = ?")) {
      read.setString(1, id);
      boolean there;
      try (ResultSet row = read.executeQuery()) {
        there = row.next();
      }
      if (there) {
        delete.setString(1, id);
        delete.executeUpdate();
      } else {
        insert.setString(1, id);
        insert.setLong(2, random.nextInt(ACCOUNTS));
        insert.setInt(3, random.nextInt(100));
        insert.executeUpdate();
      }
    }
  }

  private static void look(Connection c, Random random) throws SQLException {
    String query =
        random.nextBoolean()
            ? "SELECT A.*, o.amount FROM Accounts A LEFT JOIN orders o ON o.account = A.id WHERE A.id < ? ORDER BY A.id LIMIT 7"
            : "SELECT x.id, x.balance FROM (SELECT id, balance FROM Accounts WHERE id < ?) x WHERE x.balance > 0";
    try (PreparedStatement read = c.prepareStatement(query)) {
      read.setLong(1, random.nextInt(ACCOUNTS));
      try (ResultSet rows = read.executeQuery()) {
        while (rows.next()) {
          rows.getLong(1);
        }
      }
    }
  }
}
