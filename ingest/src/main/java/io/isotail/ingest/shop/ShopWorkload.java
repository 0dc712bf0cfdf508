package io.isotail.ingest.shop;

import io.isotail.ingest.workload.ConflictMeter;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.Workload;
import io.isotail.ingest.workload.WorkloadCounters;
import io.isotail.ingest.workload.WorkloadStats;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Customers and clerks of the shop: sessions of three services that send requests to all endpoints,
 * and one clerk who counts the shelves that sell best, one each second. The rate rises to its full
 * height within {@link #RAMP_SECONDS}.
 */
public final class ShopWorkload implements Workload {
  /** For so long the rate rises. */
  public static final int RAMP_SECONDS = 5;

  /** Share of the rate at which it begins. */
  private static final double RAMP_FROM = 0.4;

  private static final long STOP_MS = 10_000;

  /** The clerk apart; each is of the service at its place. */
  private static final List<ShopService> IN_TURN =
      List.of(
          ShopService.STOREFRONT,
          ShopService.WAREHOUSE,
          ShopService.BILLING,
          ShopService.STOREFRONT);

  private final Function<ShopService, ConnectionSource> connections;
  private final Plan plan;
  private final List<ShopSession> sessions = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final WorkloadCounters counters = new WorkloadCounters();
  private final ConflictMeter conflicts;

  /** Numbers of requests. */
  private final AtomicLong requests = new AtomicLong();

  private volatile long startNs;

  /**
   * How much goes on.
   *
   * @param sessions besides the clerk, at least one
   * @param transactionsPerSecond over all sessions, 0 for as many as there can be
   * @param seed decides which requests each session sends, in which order
   * @param level of all transactions, a constant of {@link Connection}; {@link
   *     Connection#TRANSACTION_NONE} leaves each endpoint its own
   */
  public record Plan(int sessions, int transactionsPerSecond, long seed, int level) {
    /** Checks the bounds. */
    public Plan {
      if (sessions < 1 || transactionsPerSecond < 0) {
        throw new IllegalArgumentException(
            "sessions=%d, rate=%d; expected one session or more, and a rate of 0 or more"
                .formatted(sessions, transactionsPerSecond));
      }
    }
  }

  /**
   * A shop that is closed; its {@link ShopTables tables} are there.
   *
   * @param connections of each service; they decide whether the traffic is observed
   */
  public ShopWorkload(Plan plan, Function<ShopService, ConnectionSource> connections) {
    this.plan = plan;
    this.connections = connections;
    this.conflicts = new ConflictMeter(plan.sessions() + 1);
  }

  Plan plan() {
    return plan;
  }

  WorkloadCounters counters() {
    return counters;
  }

  /** A number that no other request has. */
  long nextRequest() {
    return requests.incrementAndGet();
  }

  ConflictMeter conflicts() {
    return conflicts;
  }

  Connection open(ShopService service) throws SQLException {
    Connection connection = connections.apply(service).open();
    try {
      connection.setAutoCommit(false);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  boolean isStopping() {
    return stop.getCount() == 0;
  }

  /** Waits; returns early when the shop closes. */
  void sleep(long ns) {
    try {
      // Either way the caller looks whether the shop closes.
      boolean unused = stop.await(ns, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Time from one request of a session to its next, in ns. */
  long intervalNs() {
    if (plan.transactionsPerSecond() == 0) {
      return 0;
    }
    double open = (System.nanoTime() - startNs) / 1e9 / RAMP_SECONDS;
    double share = Math.min(1, RAMP_FROM + (1 - RAMP_FROM) * open);
    return Math.round(1e9 * plan.sessions() / (plan.transactionsPerSecond() * share));
  }

  @Override
  public void setUp() throws SQLException {
    try (Connection connection = open(ShopService.WAREHOUSE)) {
      ShopTables.fill(connection);
      counters.committed.increment();
    }
  }

  @Override
  public void start() {
    startNs = System.nanoTime();
    for (int i = 0; i < plan.sessions(); i++) {
      ShopService service = IN_TURN.get(i % IN_TURN.size());
      start(new CustomerSession(i, service, this));
    }
    start(new ClerkSession(plan.sessions(), this));
  }

  private void start(ShopSession session) {
    sessions.add(session);
    Thread thread = new Thread(session, "shop-" + threads.size());
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  @Override
  public boolean isDone() {
    return false;
  }

  @Override
  public boolean cutOne() throws SQLException, IOException {
    return sessions.get(ThreadLocalRandom.current().nextInt(sessions.size())).cut();
  }

  @Override
  public WorkloadStats stats() {
    return counters.stats(conflicts.pairs());
  }

  @Override
  public void close() {
    if (isStopping()) {
      return;
    }
    stop.countDown();
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MS);
    try {
      for (int i = 0; i < threads.size(); i++) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        threads.get(i).join(Math.max(1, leftMs));
        if (threads.get(i).isAlive()) {
          sessions.get(i).cut();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      // Its connection is lost already.
      counters.errors.increment();
    }
  }
}
