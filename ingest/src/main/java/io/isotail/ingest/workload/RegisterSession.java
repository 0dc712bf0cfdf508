package io.isotail.ingest.workload;

import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import io.isotail.ingest.workload.TransactionPlan.Step;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session of the workload. Owned by its thread, which is the only one that calls it. */
final class RegisterSession implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSession.class);
  private static final int MAX_ATTEMPTS = 20;
  private static final long RECONNECT_PAUSE_NS = 200_000_000L;

  private final int number;
  private final RegisterWorkload workload;
  private final WorkloadConfig config;
  private final BooleanSupplier stopping;
  private final SplittableRandom random;

  /** Of their own, so that retries change nothing in what comes next. */
  private final SplittableRandom pauses;

  private final TransactionMix mix;
  private final long firstValue;
  private long valueCounter;
  private long nextStartNs = System.nanoTime();

  /** The session with the store that is under way; others may cut it. */
  private volatile @Nullable StoreSession open;

  /** The one that was cut last. */
  private volatile @Nullable StoreSession cut;

  RegisterSession(
      int number,
      RegisterWorkload workload,
      TransactionMix mix,
      long firstValue,
      BooleanSupplier stopping) {
    this.number = number;
    this.workload = workload;
    this.config = workload.config();
    this.mix = mix;
    this.firstValue = firstValue;
    this.stopping = stopping;
    this.random = new SplittableRandom(config.seed() * 1_000_003 + number);
    this.pauses = random.split();
  }

  @Override
  public void run() {
    while (!stopping.getAsBoolean()) {
      try (StoreSession session = workload.sessions().open(number)) {
        open = session;
        while (!stopping.getAsBoolean()) {
          pace();
          transaction(session);
        }
      } catch (Exception | StackOverflowError | LinkageError e) {
        // HSQLDB's own search for a deadlock may overflow the stack.
        lost(e);
      }
    }
  }

  /**
   * Cuts the connection under way, as if the network had. Callable by any thread.
   *
   * @return false if there is none
   */
  boolean cut() throws IOException {
    StoreSession now = open;
    if (now == null) {
      return false;
    }
    cut = now;
    now.cut();
    return true;
  }

  private void lost(Throwable e) {
    StoreSession was = open;
    open = null;
    if (was != null && was == cut) {
      workload.counters().cut.increment();
      LOG.debug("session {} was cut off: {}", number, e.toString());
      return;
    }
    workload.counters().errors.increment();
    LOG.warn("session {} lost its connection and opens another: {}", number, e.toString());
    LockSupport.parkNanos(RECONNECT_PAUSE_NS);
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

  /** Runs one transaction, again while the store asks for it. */
  private void transaction(StoreSession session) throws Exception {
    WorkloadCounters counters = workload.counters();
    TransactionPlan plan = mix.next(random);
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        body(plan, session);
        if (plan.rollsBack()) {
          session.rollBack();
          counters.aborted.increment();
        } else {
          session.commit();
          counters.committed.increment();
          committed(plan);
        }
        return;
      } catch (RefusedException e) {
        session.rollBack();
        counters.aborted.increment();
        if (stopping.getAsBoolean()) {
          return;
        }
        counters.retried.increment();
      } catch (Exception e) {
        counters.aborted.increment();
        throw rolledBack(session, e);
      } finally {
        workload.conflicts().end(number);
      }
    }
  }

  /** What made the session useless, which is closed next; a lock should not outlive it. */
  private static Exception rolledBack(StoreSession session, Exception failure) {
    try {
      session.rollBack();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private void committed(TransactionPlan plan) {
    boolean wrote = false;
    for (Step step : plan.steps()) {
      if (step.write()) {
        wrote = true;
        workload.rows().committed(step.key());
      }
    }
    if (wrote) {
      workload.counters().wrote.increment();
    }
  }

  private void body(TransactionPlan plan, StoreSession session) throws Exception {
    // The same row all through the transaction, whatever others do to the register.
    Map<Integer, Long> rows = new HashMap<>();
    session.begin(scope(plan, rows));
    for (Step step : plan.steps()) {
      for (int key = step.key(); key < step.key() + step.count(); key++) {
        workload.conflicts().touch(number, key, step.write());
      }
      long row = Objects.requireNonNull(rows.get(step.key()));
      switch (step.action()) {
        case WRITE -> session.write(row, nextValue());
        case READ -> {
          if (session.read(row) == null && !config.transactions().freshRows()) {
            throw new IOException("register " + row + " is missing");
          }
          think();
        }
        case READ_RANGE -> {
          session.readRange(row, step.count());
          think();
        }
      }
    }
  }

  /** What the transaction reads and writes; {@code rows} gets the row of each of its registers. */
  private TransactionScope scope(TransactionPlan plan, Map<Integer, Long> rows) {
    Set<Long> reads = new HashSet<>();
    Set<Long> writes = new HashSet<>();
    for (Step step : plan.steps()) {
      long first = rows.computeIfAbsent(step.key(), workload.rows()::row);
      for (int i = 0; i < step.count(); i++) {
        rows.putIfAbsent(step.key() + i, first + i);
        (step.write() ? writes : reads).add(first + i);
      }
    }
    return new TransactionScope(reads, writes);
  }

  /** Sessions take turns, so that no two of them write the same value. */
  private long nextValue() {
    return firstValue + number + config.sessions() * valueCounter++;
  }

  private void think() {
    if (config.thinkTimeMicros() > 0) {
      LockSupport.parkNanos(pauses.nextLong(2_000L * config.thinkTimeMicros()));
    }
  }
}
