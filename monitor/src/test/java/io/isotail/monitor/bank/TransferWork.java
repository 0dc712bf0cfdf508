package io.isotail.monitor.bank;

import static io.isotail.monitor.bank.Statements.row;
import static io.isotail.monitor.bank.Statements.think;
import static io.isotail.monitor.bank.Statements.update;
import static io.isotail.monitor.bank.Statements.updateOne;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.SplittableRandom;

/** Business on transfers, whose ids come back with version 1. Owned by one teller. */
final class TransferWork {
  private static final String SELECT = "SELECT id, amount, version FROM transfer WHERE id = ?";
  private static final String INSERT =
      "INSERT INTO transfer (id, source, target, amount, version) VALUES (?, ?, ?, ?, 1)";
  private static final String LOCKING =
      "UPDATE transfer SET amount = ?, version = ? WHERE id = ? AND version = ?";
  private static final String DELETE = "DELETE FROM transfer WHERE id = ? AND version = ?";
  private static final int REPORTED = 4;

  private final SplittableRandom random;
  private final BankCounters counters;
  private final long first;

  TransferWork(SplittableRandom random, BankCounters counters, long first) {
    this.random = random;
    this.counters = counters;
    this.first = first;
  }

  /** Books a transfer; where the id is taken, changes what is there. */
  void book(Connection c, long source, long target) throws SQLException, StaleVersionException {
    long id = id();
    Savepoint before = c.setSavepoint();
    try {
      update(c, INSERT, id, source, target, random.nextInt(100));
    } catch (SQLException e) {
      if (!Statements.DUPLICATE_KEY.equals(e.getSQLState())) {
        throw e;
      }
      counters.savepoints.increment();
      counters.refused.increment();
      c.rollback(before);
      change(c, id);
    }
  }

  /** Deletes a transfer and books it again, in one transaction. */
  void rebook(Connection c) throws SQLException, StaleVersionException {
    long[] transfer = row(c, SELECT, id());
    if (transfer.length > 0) {
      think(random);
      updateOne(c, DELETE, transfer[0], transfer[2]);
      think(random);
      update(c, INSERT, transfer[0], 1, 2, transfer[1]);
    }
  }

  /** Deletes a transfer. */
  void cancel(Connection c) throws SQLException {
    row(c, "DELETE FROM transfer WHERE id = ? RETURNING amount, version", id());
  }

  /** Changes a transfer. */
  void annotate(Connection c) throws SQLException, StaleVersionException {
    change(c, id());
  }

  /** Reads some transfers. */
  void report(Connection c) throws SQLException {
    long[] ids = new long[REPORTED];
    for (int i = 0; i < REPORTED; i++) {
      ids[i] = id();
    }
    Statements.read(
        c,
        "SELECT id, amount, version FROM transfer WHERE id IN " + Statements.list(REPORTED),
        ids);
    think(random);
  }

  private void change(Connection c, long id) throws SQLException, StaleVersionException {
    long[] transfer = row(c, SELECT, id);
    if (transfer.length > 0) {
      think(random);
      updateOne(c, LOCKING, transfer[1] + 1, transfer[2] + 1, id, transfer[2]);
    }
  }

  private long id() {
    return first + random.nextInt(BankTables.TRANSFERS);
  }
}
