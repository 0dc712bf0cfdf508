package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.NewKeyException;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One level of a program, explored within limits. */
final class LevelRun {
  /** Ways for each thread, so that none of them waits long for the last one. */
  private static final int SHARES_PER_THREAD = 64;

  /**
   * How far it may go.
   *
   * @param nanos time, in ns
   * @param histories number of histories
   * @param threads that share the work
   * @param first whether it ends at the first history that was looked for
   */
  record Limits(long nanos, long histories, int threads, boolean first) {
    Limits upToTheFirst() {
      return new Limits(nanos, histories, threads, true);
    }
  }

  /**
   * What came out.
   *
   * @param verdict the histories that were looked for are those that fail
   * @param endStates whole executions that were reached
   * @param blocked those that the level forbids
   * @param seconds time that it took, in s
   * @param outOfMemory whether it ended, not exhausted, because there was no more memory
   */
  record Result(
      AssertionVerdict verdict, long endStates, long blocked, double seconds, boolean outOfMemory) {
    IsolationLevel level() {
      return verdict.level();
    }
  }

  private final Program program;
  private final IsolationLevel level;
  private final Limits limits;
  private final Exploration.Method method;
  private final Predicate<ExploredHistory> wanted;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final long startNs = System.nanoTime();
  private long histories;
  private long found;
  private @Nullable ExploredWitness first;

  /**
   * A run.
   *
   * @param wanted the histories that are looked for
   */
  LevelRun(
      Program program,
      IsolationLevel level,
      Exploration.Method method,
      Limits limits,
      Predicate<ExploredHistory> wanted) {
    this.program = program;
    this.level = level;
    this.method = method;
    this.limits = limits;
    this.wanted = wanted;
  }

  Result run() throws InterruptedException {
    while (true) {
      try {
        return once();
      } catch (NewKeyException e) {
        e.learn();
        stopped.set(false);
        histories = 0;
        found = 0;
        first = null;
      }
    }
  }

  private Result once() throws InterruptedException {
    Exploration whole = Exploration.of(program, level, method);
    List<Exploration> all = new ArrayList<>(List.of(whole));
    boolean exhausted = false;
    boolean outOfMemory = false;
    try {
      exhausted = limits.threads() == 1 ? whole.run(this::see, this::mayGoOn) : shared(whole, all);
    } catch (OutOfMemoryError e) {
      stopped.set(true);
      outOfMemory = true;
    }
    return new Result(
        new AssertionVerdict(level, exhausted, histories, found, first),
        all.stream().mapToLong(Exploration::endStates).sum(),
        all.stream().mapToLong(Exploration::blocked).sum(),
        (System.nanoTime() - startNs) / 1e9,
        outOfMemory);
  }

  private boolean shared(Exploration whole, List<Exploration> all) throws InterruptedException {
    int atLeast = limits.threads() * SHARES_PER_THREAD;
    Queue<Exploration.Share> shares =
        new ConcurrentLinkedQueue<>(whole.shares(this::see, this::mayGoOn, atLeast));
    ExecutorService threads = Executors.newFixedThreadPool(limits.threads());
    try {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int i = 0; i < limits.threads(); i++) {
        Exploration helper = whole.helper();
        all.add(helper);
        running.add(threads.submit(() -> work(helper, shares)));
      }
      boolean exhausted = true;
      for (Future<Boolean> one : running) {
        exhausted &= one.get();
      }
      return exhausted && !stopped.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e);
    } finally {
      stopped.set(true);
      threads.shutdown();
      threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }
  }

  private boolean work(Exploration helper, Queue<Exploration.Share> shares) {
    try {
      for (Exploration.Share share = shares.poll(); share != null; share = shares.poll()) {
        helper.take(share);
        if (!helper.run(this::see, this::mayGoOn)) {
          return false;
        }
      }
      return true;
    } catch (RuntimeException | Error e) {
      stopped.set(true);
      throw e;
    }
  }

  private boolean mayGoOn() {
    return !stopped.get() && System.nanoTime() - startNs < limits.nanos();
  }

  private boolean see(ExploredHistory history) {
    boolean isWanted = wanted.test(history);
    synchronized (this) {
      if (stopped.get()) {
        return false;
      }
      if (isWanted) {
        // Before it is counted: this needs memory, which may be out.
        first = first == null ? ExploredWitness.of(history, level) : first;
        found++;
      }
      histories++;
      if (histories >= limits.histories() || (isWanted && limits.first())) {
        stopped.set(true);
        return false;
      }
      return true;
    }
  }
}
