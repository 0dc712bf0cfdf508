package io.isotail.ingest.workload;

import io.isotail.ingest.workload.RegisterWorkload.Counters;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session of the workload. Owned by its thread. */
final class RegisterSession implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSession.class);
  private static final int MAX_ATTEMPTS = 20;
  private static final long RECONNECT_PAUSE_NS = 200_000_000L;

  private final int number;
  private final WorkloadConfig config;
  private final ConnectionSource connections;
  private final Counters counters;
  private final BooleanSupplier stopping;
  private final SplittableRandom random;
  private final double[] cumulative;
  private final long firstValue;
  private long valueCounter;
  private long nextStartNs = System.nanoTime();

  RegisterSession(
      int number,
      WorkloadConfig config,
      ConnectionSource connections,
      long firstValue,
      Counters counters,
      BooleanSupplier stopping) {
    this.firstValue = firstValue;
    this.number = number;
    this.config = config;
    this.connections = connections;
    this.counters = counters;
    this.stopping = stopping;
    this.random = new SplittableRandom(config.seed() * 1_000_003 + number);
    this.cumulative = zipf(config.keys(), config.skew());
  }

  private static double[] zipf(int keys, double skew) {
    double[] sums = new double[keys];
    double sum = 0;
    for (int i = 0; i < keys; i++) {
      sum += 1 / Math.pow(i + 1, skew);
      sums[i] = sum;
    }
    return sums;
  }

  @Override
  public void run() {
    while (!stopping.getAsBoolean()) {
      try (Connection c = connections.open()) {
        c.setTransactionIsolation(config.isolation());
        c.setAutoCommit(false);
        try (Statements statements = new Statements(c)) {
          while (!stopping.getAsBoolean()) {
            pace();
            transaction(c, statements);
          }
        }
      } catch (SQLException e) {
        counters.errors.increment();
        LOG.warn("session {} lost its connection and opens another: {}", number, e.toString());
        LockSupport.parkNanos(RECONNECT_PAUSE_NS);
      }
    }
  }

  /** Waits for this session's share of the permitted rate. */
  private void pace() {
    if (config.maxTransactionsPerSecond() == 0) {
      return;
    }
    long intervalNs = 1_000_000_000L * config.sessions() / config.maxTransactionsPerSecond();
    long now = System.nanoTime();
    nextStartNs = Math.max(nextStartNs + intervalNs, now - 10 * intervalNs);
    while (nextStartNs - now > 0 && !stopping.getAsBoolean()) {
      LockSupport.parkNanos(Math.min(nextStartNs - now, RECONNECT_PAUSE_NS));
      now = System.nanoTime();
    }
  }

  /** Runs one transaction, again while the database asks for it. */
  private void transaction(Connection c, Statements statements) throws SQLException {
    int kind = random.nextInt(100);
    int[] keys = distinctKeys(3);
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        body(kind, keys, statements);
        if (kind == 99) {
          c.rollback();
          counters.aborted.increment();
        } else {
          c.commit();
          counters.committed.increment();
        }
        return;
      } catch (SQLException e) {
        c.rollback();
        counters.aborted.increment();
        if (!isRetryable(e)) {
          throw e;
        }
        if (stopping.getAsBoolean()) {
          return;
        }
        counters.retried.increment();
      }
    }
  }

  private static boolean isRetryable(SQLException e) {
    return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
  }

  private void body(int kind, int[] keys, Statements s) throws SQLException {
    if (kind < 20) {
      reread(keys, s);
    } else if (kind < 45) {
      readPair(keys[0], s);
    } else if (kind < 65) {
      overwrite(s, keys[0], partner(keys[0]));
    } else if (kind < 80) {
      relay(keys, s);
    } else if (kind < 90) {
      overwrite(s, keys[0]);
    } else {
      overwrite(s, keys[0], keys[1]);
    }
  }

  private void reread(int[] keys, Statements s) throws SQLException {
    for (int key : keys) {
      s.read(key);
      think();
    }
    s.read(keys[0]);
  }

  private void readPair(int key, Statements s) throws SQLException {
    s.read(key);
    think();
    s.read(partner(key));
  }

  /** Reads all the keys, then overwrites all, in one order everywhere to avoid most deadlocks. */
  private void overwrite(Statements s, int... keys) throws SQLException {
    Arrays.sort(keys);
    for (int key : keys) {
      s.read(key);
      think();
    }
    for (int key : keys) {
      s.write(key, nextValue());
    }
  }

  private void relay(int[] keys, Statements s) throws SQLException {
    s.read(keys[0]);
    think();
    s.read(keys[1]);
    s.write(keys[1], nextValue());
  }

  /** Registers are paired: 0 with 1, 2 with 3 and so on; an odd last one with the first. */
  private int partner(int key) {
    int partner = key ^ 1;
    return partner < config.keys() ? partner : 0;
  }

  private int[] distinctKeys(int count) {
    int[] keys = new int[count];
    for (int i = 0; i < count; i++) {
      int key;
      do {
        key = key();
      } while (contains(keys, i, key));
      keys[i] = key;
    }
    return keys;
  }

  private static boolean contains(int[] keys, int length, int key) {
    for (int i = 0; i < length; i++) {
      if (keys[i] == key) {
        return true;
      }
    }
    return false;
  }

  private int key() {
    double at = random.nextDouble() * cumulative[cumulative.length - 1];
    int index = Arrays.binarySearch(cumulative, at);
    return Math.min(index < 0 ? -index - 1 : index, cumulative.length - 1);
  }

  /** Sessions take turns, so that no two of them write the same value. */
  private long nextValue() {
    return firstValue + number + config.sessions() * valueCounter++;
  }

  private void think() {
    if (config.thinkTimeMicros() > 0) {
      LockSupport.parkNanos(random.nextLong(2_000L * config.thinkTimeMicros()));
    }
  }

  /** The prepared statements of one connection. */
  private static final class Statements implements AutoCloseable {
    private final PreparedStatement select;
    private final PreparedStatement update;

    Statements(Connection c) throws SQLException {
      this.select = c.prepareStatement("SELECT v FROM " + RegisterWorkload.TABLE + " WHERE k = ?");
      this.update =
          c.prepareStatement("UPDATE " + RegisterWorkload.TABLE + " SET v = ? WHERE k = ?");
    }

    void read(int key) throws SQLException {
      select.setLong(1, key);
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          throw new SQLException("register " + key + " is missing");
        }
      }
    }

    void write(int key, long value) throws SQLException {
      update.setLong(1, value);
      update.setLong(2, key);
      update.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      select.close();
      update.close();
    }
  }
}
