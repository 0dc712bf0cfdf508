package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
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
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A shop on MariaDB: its clients read balances and write what they have computed, make and remove
 * orders, and a trigger writes what no statement names.
 */
final class AccountsWorkload {
  private static final int ACCOUNTS = 20;
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

  private AccountsWorkload() {}

  /** Makes its tables, and follows the log from then on. */
  static void prepare(TailedRun run) throws Exception {
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
  }

  /**
   * Runs it to its end, with a client for each URL, captured or past isotail.
   *
   * @param level of JDBC
   */
  static void work(List<String> urls, int level) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(urls.size());
    List<Future<?>> done = new ArrayList<>();
    for (String url : urls) {
      Random random = new Random(done.size());
      done.add(pool.submit(() -> client(url, level, random)));
    }
    for (Future<?> each : done) {
      each.get();
    }
    pool.shutdown();
  }

  /** What is found when all is checked; nearly all reads are decided. */
  static CheckerReport finished(TailedRun run) throws InterruptedException {
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

  private static Void client(String url, int level, Random random) throws Exception {
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
