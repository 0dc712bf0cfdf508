package io.isotail.ingest.workload;

import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Concurrent sessions that run random transactions on the registers of a store: the rows of a
 * table, or whatever a {@link SessionSource} brings.
 *
 * <p>Every value written is unique, and most writers read what they overwrite, so that the order of
 * versions is known and a violation can be proved. {@link WorkloadKind} says which transactions
 * there are.
 */
public final class RegisterWorkload implements Workload {
  /** The table of the demo and of {@code isotail workload}. */
  public static final RegisterTable REGISTERS = new RegisterTable("registers");

  private static final Logger LOG = LoggerFactory.getLogger(RegisterWorkload.class);
  private static final long STOP_MS = 10_000;
  private static final long CUT_MS = 2_000;
  private static final long RESUME_DISTANCE = 1_000_000;

  private final WorkloadConfig config;
  private final SessionSource sessionSource;
  private final long stopMs;
  private final WorkloadCounters counters = new WorkloadCounters();
  private final ConflictMeter conflicts;
  private final List<RegisterSession> sessions = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private long firstValue;
  private @Nullable RegisterRows rows;
  private volatile boolean stopping;

  /**
   * A workload that is not running yet.
   *
   * @param sessions opens the sessions; they decide whether the traffic is observed
   */
  public RegisterWorkload(WorkloadConfig config, SessionSource sessions) {
    this(config, sessions, STOP_MS);
  }

  /** One that gives its sessions so much time to end. */
  RegisterWorkload(WorkloadConfig config, SessionSource sessions, long stopMs) {
    this.config = config;
    this.stopMs = stopMs;
    this.sessionSource = sessions;
    this.conflicts = new ConflictMeter(config.sessions());
    this.firstValue = config.keys() + 1L;
  }

  WorkloadConfig config() {
    return config;
  }

  SessionSource sessions() {
    return sessionSource;
  }

  WorkloadCounters counters() {
    return counters;
  }

  ConflictMeter conflicts() {
    return conflicts;
  }

  RegisterRows rows() {
    return Objects.requireNonNull(rows, "not started");
  }

  /**
   * Goes on with the registers of an earlier workload on a table, if there are enough of them.
   *
   * @return whether there were; if not, the table is to be made and set up
   */
  public boolean resume(RegisterTable table, ConnectionSource direct) throws SQLException {
    RegisterTable.Contents contents = table.contents(direct);
    if (contents == null || contents.rows() < config.keys()) {
      return false;
    }
    // What the other may still have under way is far below.
    firstValue = contents.greatest() + RESUME_DISTANCE;
    return true;
  }

  /** Creates all registers; none if rows are to be fresh. */
  @Override
  public void setUp() throws Exception {
    try (StoreSession session = sessionSource.open()) {
      boolean lists = config.transactions().kind().hasLists();
      if (session.isOfLists() != lists) {
        throw new IOException(
            lists
                ? "the store has no lists to append to; expected another --workload"
                : "the store has lists alone; expected --workload list-append");
      }
      if (lists) {
        tryAppending(session);
      }
      if (!config.transactions().freshRows()) {
        counters.committed.add(session.make(config.keys()));
      }
    }
  }

  /** In a transaction that is rolled back. */
  private static void tryAppending(StoreSession session) throws Exception {
    Long last;
    try {
      session.begin(new TransactionScope(Set.of(-1L), Set.of(-1L)));
      session.write(-1, 1);
      session.write(-1, 2);
      last = session.read(-1);
      session.rollBack();
    } catch (IOException | SQLException e) {
      throw new IOException(
          "the database cannot append to a list; expected another --workload: " + e.getMessage(),
          e);
    }
    if (!Long.valueOf(2).equals(last)) {
      throw new IOException(
          "a list ends with %s after 1 and 2 were appended; expected 2, or another --workload"
              .formatted(last));
    }
  }

  @Override
  public void start() {
    rows = new RegisterRows(config, firstValue);
    TransactionMix mix = config.transactions().over(config.keys());
    for (int i = 0; i < config.sessions(); i++) {
      RegisterSession session =
          new RegisterSession(i, this, mix, firstValue, () -> stopping || isDone());
      sessions.add(session);
      Thread thread = new Thread(session, "workload-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Whether as many transactions were committed as it was to commit. */
  @Override
  public boolean isDone() {
    long most = config.mostTransactions();
    return most > 0 && counters.committed.sum() >= most;
  }

  @Override
  public boolean cutOne() throws SQLException, IOException {
    try {
      return sessions.get(ThreadLocalRandom.current().nextInt(sessions.size())).cut();
    } catch (IOException e) {
      if (e.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public WorkloadStats stats() {
    return counters.stats(conflicts.pairs());
  }

  /**
   * Lets each session finish its transaction, for ten seconds; then cuts the connections of those
   * that wait for something, and gives them two seconds more. Again it does nothing.
   */
  @Override
  public void close() {
    if (stopping) {
      return;
    }
    stopping = true;
    if (join(stopMs)) {
      return;
    }
    List<RegisterSession> stuck = new ArrayList<>();
    for (int i = 0; i < threads.size(); i++) {
      if (threads.get(i).isAlive()) {
        stuck.add(sessions.get(i));
      }
    }
    LOG.warn("{} sessions have not stopped within {} ms and are cut", stuck.size(), stopMs);
    for (RegisterSession session : stuck) {
      // Some drivers wait for the very thing that the session waits for.
      Thread cutter = new Thread(() -> cut(session), "workload-cut");
      cutter.setDaemon(true);
      cutter.start();
    }
    if (!join(CUT_MS)) {
      LOG.warn("some sessions do not stop though they were cut; what they had under way is lost");
    }
  }

  private static void cut(RegisterSession session) {
    try {
      session.cut();
    } catch (IOException | RuntimeException e) {
      LOG.debug("a session could not be cut", e);
    }
  }

  /** Waits for all sessions; returns whether they have ended. */
  private boolean join(long limitMs) {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
    try {
      for (Thread thread : threads) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        thread.join(Math.max(1, leftMs));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }
}
