package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.NewKeyException;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
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
   * @param memory what all of them together may hold
   * @param first whether it ends at the first history that was looked for
   */
  record Limits(long nanos, long histories, int threads, MemoryBounds memory, boolean first) {
    Limits upToTheFirst() {
      return new Limits(nanos, histories, threads, memory, true);
    }

    Limits within(long otherNanos) {
      return new Limits(otherNanos, histories, threads, memory, first);
    }
  }

  /**
   * What was held in memory at most, by all threads together.
   *
   * @param openExecutions executions that had begun and not come to their end, at one time
   * @param rememberedSteps steps of the program
   * @param heldValues different values and names of variables
   */
  record Memory(long openExecutions, long rememberedSteps, long heldValues) {
    static Memory of(List<Exploration> all) {
      return new Memory(
          all.stream().mapToLong(Exploration::mostOpen).sum(),
          all.stream().mapToLong(Exploration::rememberedSteps).sum(),
          all.stream().mapToLong(Exploration::heldValues).sum());
    }

    /** The most of both. */
    Memory most(Memory other) {
      return new Memory(
          Math.max(openExecutions, other.openExecutions),
          Math.max(rememberedSteps, other.rememberedSteps),
          Math.max(heldValues, other.heldValues));
    }
  }

  /**
   * What came out.
   *
   * @param verdict the histories that were looked for are those that fail
   * @param endStates whole executions that were reached
   * @param blocked those that the level forbids
   * @param seconds time that it took, in s
   * @param memory what it held
   */
  record Result(
      AssertionVerdict verdict, long endStates, long blocked, double seconds, Memory memory) {
    IsolationLevel level() {
      return verdict.level();
    }

    /** With another error, which tells its place in the text that the program was read from. */
    Result withError(SourceError error) {
      AssertionVerdict told =
          new AssertionVerdict(
              verdict.level(),
              verdict.exhausted(),
              verdict.limit(),
              verdict.histories(),
              verdict.failing(),
              verdict.witness(),
              error);
      return new Result(told, endStates, blocked, seconds, memory);
    }

    /** What is wrong with the program and where, in a history that the level allows. */
    @Nullable SourceError error() {
      return verdict.error() instanceof SourceError error ? error : null;
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
    return NewKeyException.untilKeysAreKnown(this::once);
  }

  private Result once() throws InterruptedException {
    stopped.set(false);
    histories = 0;
    found = 0;
    first = null;
    Exploration whole =
        Exploration.of(program, level, method, limits.memory().part(limits.threads()));
    List<Exploration> all = new ArrayList<>(List.of(whole));
    boolean exhausted = false;
    Limit reached = null;
    SourceError error = null;
    try {
      exhausted = limits.threads() == 1 ? whole.run(this::see, this::mayGoOn) : shared(whole, all);
      reached = exhausted ? null : reached(all);
    } catch (SourceError e) {
      error = e;
    } catch (OutOfMemoryError e) {
      stopped.set(true);
      reached = Limit.MEMORY;
    }
    return new Result(
        new AssertionVerdict(level, exhausted, reached, histories, found, first, error),
        all.stream().mapToLong(Exploration::endStates).sum(),
        all.stream().mapToLong(Exploration::blocked).sum(),
        (System.nanoTime() - startNs) / 1e9,
        Memory.of(all));
  }

  /** The limit that ended it; null if that was the first history that was looked for. */
  private @Nullable Limit reached(List<Exploration> all) {
    // What stops one thread stops the others, and they take that for the end of their time.
    for (Exploration one : all) {
      Limit own = one.limit();
      if (own != null && own != Limit.TIME) {
        return own;
      }
    }
    if (limits.first() && found > 0) {
      return null;
    }
    return histories >= limits.histories() ? Limit.HISTORIES : Limit.TIME;
  }

  private boolean shared(Exploration whole, List<Exploration> all) throws InterruptedException {
    int atLeast = limits.threads() * SHARES_PER_THREAD;
    Queue<Exploration.Share> shares =
        new ConcurrentLinkedQueue<>(whole.shares(this::see, this::mayGoOn, atLeast));
    ExecutorService threads = Executors.newFixedThreadPool(limits.threads());
    try {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int i = 0; i < limits.threads(); i++) {
        Exploration helper = i == 0 ? whole : whole.helper();
        if (helper != whole) {
          all.add(helper);
        }
        running.add(threads.submit(() -> work(helper, shares)));
      }
      boolean exhausted = whole.limit() == null;
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
          stopped.set(true);
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
