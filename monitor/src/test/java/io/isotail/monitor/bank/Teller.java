package io.isotail.monitor.bank;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does business until the bank closes: a connection from the pool for each attempt. */
final class Teller implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Teller.class);
  private static final int MAX_ATTEMPTS = 20;

  private final BankPlan.Levels levels;
  private final DataSource pool;
  private final BankCounters counters;
  private final BooleanSupplier closing;
  private final SplittableRandom random;
  private final AccountWork accounts;
  private final TransferWork transfers;

  /**
   * A teller.
   *
   * @param firstTransfer transfers that it books have this id or a higher one
   */
  Teller(
      BankPlan.Levels levels,
      DataSource pool,
      BankCounters counters,
      BooleanSupplier closing,
      SplittableRandom random,
      long firstTransfer) {
    this.levels = levels;
    this.pool = pool;
    this.counters = counters;
    this.closing = closing;
    this.random = random;
    this.transfers = new TransferWork(random, counters, firstTransfer);
    this.accounts = new AccountWork(random, counters);
  }

  @Override
  public void run() {
    while (!closing.getAsBoolean()) {
      Business business = levels.careless() ? Business.ADJUST : Business.pick(random);
      int level = levels.pick(random);
      int attempt = 0;
      while (attempt < MAX_ATTEMPTS && !attempt(business, level)) {
        attempt = closing.getAsBoolean() ? MAX_ATTEMPTS : attempt + 1;
      }
    }
  }

  /** One attempt; false when it is to be made again. */
  private boolean attempt(Business business, int level) {
    try (Connection c = pool.getConnection()) {
      c.setTransactionIsolation(level);
      c.setReadOnly(business == Business.REPORT);
      c.setAutoCommit(business.autoCommit());
      try {
        work(c, business);
        if (!business.autoCommit()) {
          c.commit();
        }
        accounts.committed(business);
        counters.committed.increment();
        return true;
      } catch (SQLException | StaleVersionException e) {
        counters.aborted.increment();
        if (!business.autoCommit()) {
          c.rollback();
        }
        return settled(e);
      }
    } catch (SQLException e) {
      counters.errors.increment();
      LOG.warn("{} failed", business, e);
      return true;
    }
  }

  private void work(Connection c, Business business) throws SQLException, StaleVersionException {
    switch (business) {
      case TRANSFER -> {
        long[] pair = accounts.move(c);
        transfers.book(c, pair[0], pair[1]);
      }
      case WITHDRAW -> accounts.withdraw(c);
      case FEE -> accounts.fee(c);
      case REBOOK -> transfers.rebook(c);
      case CANCEL -> transfers.cancel(c);
      case ANNOTATE -> transfers.annotate(c);
      case INTEREST -> accounts.interest(c);
      case OPEN_OR_CLOSE -> accounts.openOrClose(c);
      case ADJUST -> accounts.adjust(c);
      case REPORT -> {
        long[] reported = accounts.report(c);
        transfers.report(c);
        accounts.report(c, reported);
      }
      case LOOK_UP -> accounts.lookUp(c);
      case DEPOSIT -> accounts.deposit(c);
    }
  }

  /** Whether a failure is the end of the matter. */
  private boolean settled(Exception failure) {
    if (failure instanceof StaleVersionException) {
      counters.staleVersions.increment();
      return false;
    }
    String state = String.valueOf(((SQLException) failure).getSQLState());
    switch (state) {
      case "40001" -> {
        counters.serializationFailures.increment();
        return false;
      }
      case "40P01" -> {
        counters.deadlocks.increment();
        return false;
      }
      case Statements.CHECK_VIOLATION, Statements.DUPLICATE_KEY -> counters.refused.increment();
      default -> {
        counters.errors.increment();
        LOG.warn("a statement failed", failure);
      }
    }
    return true;
  }
}
