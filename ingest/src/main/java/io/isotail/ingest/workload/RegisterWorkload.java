package io.isotail.ingest.workload;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Concurrent sessions that run random transactions on the rows of one table, {@code registers(k,
 * v)}.
 *
 * <p>Every value written is unique, and writers read what they overwrite, so that the order of
 * versions is known and a violation can be proved. The transactions are those whose anomalies have
 * names: re-reading (non-repeatable reads), pairs written and read together (fractured reads),
 * read-modify-write (lost updates) and relays from one register to another (broken causality).
 */
public final class RegisterWorkload implements AutoCloseable {
  /** The table. */
  public static final String TABLE = "registers";

  /** The table as isotail is told to observe it. */
  public static final String OBSERVED = TABLE + "(k; v)";

  private static final Logger LOG = LoggerFactory.getLogger(RegisterWorkload.class);
  private static final long JOIN_MS = 10_000;
  private static final long RESUME_DISTANCE = 1_000_000;

  private final WorkloadConfig config;
  private final ConnectionSource connections;
  private final Counters counters = new Counters();
  private final List<Thread> threads = new ArrayList<>();
  private long firstValue;
  private volatile boolean stopping;

  /** Counts shared by all sessions. */
  static final class Counters {
    final LongAdder committed = new LongAdder();
    final LongAdder aborted = new LongAdder();
    final LongAdder retried = new LongAdder();
    final LongAdder errors = new LongAdder();
  }

  /**
   * A workload that is not running yet.
   *
   * @param connections opens the sessions' connections; observed if they are isotail's
   */
  public RegisterWorkload(WorkloadConfig config, ConnectionSource connections) {
    this.config = config;
    this.connections = connections;
    this.firstValue = config.keys() + 1L;
  }

  /** Makes the empty table, anew if there is one. */
  public static void createTable(ConnectionSource direct) throws SQLException {
    try (Connection c = direct.open();
        Statement s = c.createStatement()) {
      s.execute("DROP TABLE IF EXISTS " + TABLE);
      s.execute("CREATE TABLE " + TABLE + " (k bigint PRIMARY KEY, v bigint NOT NULL)");
    }
  }

  /**
   * Goes on with the registers of an earlier workload, if there are enough of them.
   *
   * @return whether there were; if not, the table is to be made and set up
   */
  public boolean resume(ConnectionSource direct) throws SQLException {
    try (Connection c = direct.open();
        Statement s = c.createStatement()) {
      try (ResultSet table = s.executeQuery("SELECT to_regclass('" + TABLE + "')")) {
        table.next();
        if (table.getString(1) == null) {
          return false;
        }
      }
      try (ResultSet rows = s.executeQuery("SELECT count(*), max(v) FROM " + TABLE)) {
        rows.next();
        if (rows.getLong(1) < config.keys()) {
          return false;
        }
        // What the other may still have under way is far below.
        firstValue = rows.getLong(2) + RESUME_DISTANCE;
        return true;
      }
    }
  }

  /** Creates all registers in one transaction, through the workload's own connections. */
  public void setUp() throws SQLException {
    try (Connection c = connections.open()) {
      c.setAutoCommit(false);
      try (PreparedStatement insert =
          c.prepareStatement("INSERT INTO " + TABLE + " (k, v) VALUES (?, ?)")) {
        for (int key = 0; key < config.keys(); key++) {
          insert.setLong(1, key);
          insert.setLong(2, key + 1L);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      c.commit();
      counters.committed.increment();
    }
  }

  /** Starts the sessions. */
  public void start() {
    for (int i = 0; i < config.sessions(); i++) {
      RegisterSession session =
          new RegisterSession(i, config, connections, firstValue, counters, () -> stopping);
      Thread thread = new Thread(session, "workload-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** What was done so far. */
  public WorkloadStats stats() {
    return new WorkloadStats(
        counters.committed.sum(),
        counters.aborted.sum(),
        counters.retried.sum(),
        counters.errors.sum());
  }

  /**
   * Lets each session finish its transaction and waits until all have closed their connections, or
   * for ten seconds.
   */
  @Override
  public void close() {
    stopping = true;
    boolean interrupted = false;
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(JOIN_MS);
    for (Thread thread : threads) {
      try {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        thread.join(Math.max(1, leftMs));
      } catch (InterruptedException e) {
        interrupted = true;
      }
      if (thread.isAlive()) {
        LOG.warn("{} has not stopped within {} ms", thread.getName(), JOIN_MS);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
