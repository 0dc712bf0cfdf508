package io.isotail.monitor.bank;

import static io.isotail.monitor.bank.Statements.row;
import static io.isotail.monitor.bank.Statements.think;
import static io.isotail.monitor.bank.Statements.update;
import static io.isotail.monitor.bank.Statements.updateOne;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Business on accounts. Owned by one teller. */
final class AccountWork {
  private static final String SELECT = "SELECT id, balance, version FROM account WHERE id = ?";
  private static final String LOCKING =
      "UPDATE account SET balance = ?, version = version + 1 WHERE id = ? AND version = ?";
  private static final String RELATIVE =
      "UPDATE account SET balance = balance + ?, version = version + 1 WHERE id = ?";
  private static final String ABSOLUTE =
      "UPDATE account SET balance = ?, version = version + 1 WHERE id = ?";
  private static final int REPORTED = 6;
  private static final int MAX_OPENED = 5;

  private final SplittableRandom random;
  private final BankCounters counters;
  private final Deque<Long> opened = new ArrayDeque<>();
  private @Nullable Long opening;
  private @Nullable Long closing;

  AccountWork(SplittableRandom random, BankCounters counters) {
    this.random = random;
    this.counters = counters;
  }

  /** Moves money between two customers, in any order: two tellers may lock each other out. */
  long[] move(Connection c) throws SQLException, StaleVersionException {
    long[] source = row(c, SELECT, customer());
    think(random);
    long[] target = row(c, SELECT, customer());
    if (source[0] == target[0]) {
      return new long[] {source[0], target[0]};
    }
    long amount = Math.min(source[1], random.nextInt(1, 200));
    think(random);
    updateOne(c, LOCKING, source[1] - amount, source[0], source[2]);
    think(random);
    updateOne(c, LOCKING, target[1] + amount, target[0], target[2]);
    return new long[] {source[0], target[0]};
  }

  /** Takes from an account; where the balance does not suffice, from another one. */
  void withdraw(Connection c) throws SQLException {
    Savepoint before = c.setSavepoint();
    try {
      row(c, RELATIVE + " RETURNING balance, version", -random.nextInt(900), customer());
      c.releaseSavepoint(before);
    } catch (SQLException e) {
      if (!Statements.CHECK_VIOLATION.equals(e.getSQLState())) {
        throw e;
      }
      counters.savepoints.increment();
      c.rollback(before);
      think(random);
      row(c, RELATIVE + " RETURNING balance, version", -random.nextInt(600), customer());
    }
  }

  /** The bank's own account is only added to: nobody asks for its version. */
  void fee(Connection c) throws SQLException, StaleVersionException {
    long[] customer = row(c, SELECT, customer());
    think(random);
    long fee = Math.min(customer[1], 3);
    updateOne(c, LOCKING, customer[1] - fee, customer[0], customer[2]);
    update(c, RELATIVE, fee, 1 + random.nextInt(BankTables.HOUSE_ACCOUNTS));
  }

  /** Interest on a few accounts, in one batch. */
  void interest(Connection c) throws SQLException, StaleVersionException {
    long first = customer();
    try (PreparedStatement batch = c.prepareStatement(LOCKING)) {
      for (long id = first; id < Math.min(first + 4, BankTables.ACCOUNTS + 1); id++) {
        long[] account = row(c, SELECT, id);
        Statements.bind(batch, account[1] + account[1] / 50 + 20, id, account[2]);
        batch.addBatch();
      }
      think(random);
      for (int count : batch.executeBatch()) {
        if (count != 1 && count != Statement.SUCCESS_NO_INFO) {
          throw new StaleVersionException();
        }
      }
    }
  }

  /** Opens an account under a new id, or closes the oldest that this teller has opened. */
  void openOrClose(Connection c) throws SQLException, StaleVersionException {
    opening = null;
    closing = null;
    Long oldest = opened.peekFirst();
    if (oldest != null && opened.size() >= MAX_OPENED) {
      long[] account = row(c, SELECT, oldest);
      think(random);
      updateOne(c, "DELETE FROM account WHERE id = ? AND version = ?", oldest, account[2]);
      update(c, RELATIVE, account[1], 1 + random.nextInt(BankTables.HOUSE_ACCOUNTS));
      closing = oldest;
    } else {
      long id = row(c, "SELECT nextval('account_id')")[0];
      update(
          c,
          "INSERT INTO account (id, owner, balance, version) VALUES (?, 'newcomer', ?, 1)",
          id,
          random.nextInt(500));
      opening = id;
    }
  }

  /** What was done is now so. */
  void committed(Business business) {
    if (business != Business.OPEN_OR_CLOSE) {
      return;
    }
    if (opening != null) {
      opened.addLast(opening);
    }
    if (closing != null) {
      opened.remove(closing);
    }
  }

  /** Reads some accounts, and says which. */
  long[] report(Connection c) throws SQLException {
    long[] ids = new long[REPORTED];
    for (int i = 0; i < REPORTED; i++) {
      ids[i] = customer();
    }
    if (random.nextBoolean()) {
      ids[0] = 1 + random.nextInt(BankTables.HOUSE_ACCOUNTS);
    }
    report(c, ids);
    think(random);
    return ids;
  }

  /** Reads these accounts. */
  void report(Connection c, long[] ids) throws SQLException {
    Statements.read(
        c,
        "SELECT id, balance, version FROM account WHERE id IN " + Statements.list(REPORTED),
        ids);
  }

  void lookUp(Connection c) throws SQLException {
    row(c, SELECT, customer());
  }

  void deposit(Connection c) throws SQLException {
    row(c, RELATIVE + " RETURNING balance, version", 1 + random.nextInt(400), customer());
  }

  void adjust(Connection c) throws SQLException {
    long[] account = row(c, SELECT, customer());
    think(random);
    update(c, ABSOLUTE, account[1] + 1, account[0]);
  }

  private long customer() {
    return random.nextInt(BankTables.HOUSE_ACCOUNTS + 1, BankTables.ACCOUNTS + 1);
  }
}
