package io.isotail.monitor.bank;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.sql.DataSource;

/** Tellers of one application over one connection pool. */
final class Bank implements AutoCloseable {
  private static final long JOIN_MS = 20_000;

  private final HikariDataSource pool;
  private final BankCounters counters = new BankCounters();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closing;

  /**
   * A bank whose tellers do nothing yet, with open connections.
   *
   * @param url the database, through isotail's driver or past it
   * @param tellers tellers, each with a connection
   */
  Bank(String url, int tellers) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(tellers);
    config.setMinimumIdle(tellers);
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    this.pool = new HikariDataSource(config);
  }

  DataSource pool() {
    return pool;
  }

  /** Lets the tellers work. */
  void open(BankPlan.Levels levels, long seed, long firstTransfer) {
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
      Teller teller =
          new Teller(levels, pool, counters, () -> closing, seeds.split(), firstTransfer);
      Thread thread = new Thread(teller, "teller-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  BankCounters.Counts counts() {
    return counters.now();
  }

  /** Lets every teller finish what it does, and closes the connections. */
  @Override
  public void close() {
    closing = true;
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        thread.join(JOIN_MS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (thread.isAlive()) {
        throw new IllegalStateException(thread.getName() + " has not stopped");
      }
    }
    pool.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
