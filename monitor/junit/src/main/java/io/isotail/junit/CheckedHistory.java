package io.isotail.junit;

import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.DatabaseIds;
import io.isotail.ingest.capture.SinkFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What went through one data source, checked at each level that a test has asked about.
 *
 * <p>Transactions only put their records into a queue. They are checked by a daemon thread a moment
 * later, or at once by who asks, under this object's lock. The order of the records is that of a
 * stream on Kafka: {@link LocalStream} has the heartbeats.
 *
 * <p>Bound: {@link #MOST_KEPT} records are kept for levels that are asked about later; of those
 * that came after them such a level sees nothing.
 */
final class CheckedHistory implements SinkFactory {
  static final int MOST_KEPT = 20_000;

  private static final long PAUSE_MS = 20;

  private static final ScheduledExecutorService CHECKING =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "isotail-checking");
            thread.setDaemon(true);
            return thread;
          });

  private final String name;
  private final Queue<TransactionRecord> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean due = new AtomicBoolean();
  private final AtomicLong strange = new AtomicLong();
  private final ForecastHistory forecasts;
  private final List<LocalStream> streams = new ArrayList<>();
  private final List<StreamRecord> kept = new ArrayList<>();
  private final Map<IsolationLevel, LevelCheck> levels = new EnumMap<>(IsolationLevel.class);
  private final Map<IsolationLevel, Mark> asked = new EnumMap<>(IsolationLevel.class);

  /** Why some connections, or all from now on, are not checked. */
  private volatile @Nullable String whyNothing;

  private volatile boolean unreachable;
  private boolean failed;

  /** Whether something has come since the last heartbeats, or may still. */
  private boolean unsettled;

  CheckedHistory(String name) {
    this(name, true);
  }

  private CheckedHistory(String name, boolean forecasts) {
    this.name = name;
    this.forecasts = new ForecastHistory(forecasts);
  }

  /** The history of transactions that only try forecasts. */
  static CheckedHistory ofRehearsals() {
    return new CheckedHistory("forecast-" + UUID.randomUUID(), false);
  }

  String name() {
    return name;
  }

  /** What forecasts are made from. */
  ForecastHistory forecasts() {
    return forecasts;
  }

  /** A connection is made of which nothing is captured, for this reason. */
  void passed(String why) {
    whyNothing = why;
    used();
  }

  /** The thread does something here. */
  void used() {
    TestRun test = TestRun.ofThread();
    if (test == null) {
      strange.incrementAndGet();
    } else {
      test.uses(this);
    }
  }

  /** Whether a thread has used it since a mark of which it is not known what test it belongs to. */
  boolean wasUsedByStrangers(@Nullable Mark mark) {
    return strange.get() > (mark == null ? 0 : mark.strange());
  }

  /** Nobody can use its data source any more. */
  void unreachable() {
    unreachable = true;
  }

  boolean isUnreachable() {
    return unreachable;
  }

  @Override
  public OpenSink open(CaptureConfig config, DatabaseIds first) {
    LocalStream stream = new LocalStream(this);
    begin(
        stream,
        new Hello(
            stream.proxyId(),
            config.service(),
            config.instance(),
            PAUSE_MS,
            first.oldestRunning(),
            first.database(),
            first.nextId()));
    return stream;
  }

  private synchronized void begin(LocalStream stream, Hello hello) {
    streams.add(stream);
    record(hello);
  }

  /** A stream has ended. */
  synchronized void ended(LocalStream stream) {
    if (streams.remove(stream)) {
      drain();
      record(stream.goodbye());
    }
  }

  /** A transaction has ended, or a chunk of one; by any thread. */
  void add(TransactionRecord record) {
    used();
    waiting.add(record);
    forecasts.ended(record);
    if (due.compareAndSet(false, true)) {
      var unused = CHECKING.schedule(this::checkWaiting, PAUSE_MS, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void checkWaiting() {
    due.set(false);
    drain();
  }

  private void drain() {
    for (TransactionRecord next = waiting.poll(); next != null; next = waiting.poll()) {
      record(next);
      unsettled = true;
    }
  }

  private void record(StreamRecord record) {
    if (kept.size() < MOST_KEPT && !(record instanceof Heartbeat)) {
      kept.add(record);
    }
    levels.values().forEach(level -> feed(level, record));
  }

  /** What goes wrong in isotail fails no test: nothing of this history is checked any more. */
  private void feed(LevelCheck level, StreamRecord record) {
    if (failed) {
      return;
    }
    try {
      level.accept(record);
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      failed = true;
      whyNothing = "isotail has stopped checking, which is a fault of its own: " + e;
    }
  }

  /** Where a level stands now; all that has ended before the call is in it. */
  synchronized Mark mark(IsolationLevel promise) {
    return failed || kept.isEmpty()
        ? Mark.ofNothing(strange.get())
        : settled(promise).mark(strange.get());
  }

  /** What has happened since a mark, which is null for the beginning. */
  synchronized Happened since(@Nullable Mark mark, IsolationLevel promise) {
    return failed || kept.isEmpty()
        ? Happened.nothing(whyNothing)
        : settled(promise).since(mark, whyNothing);
  }

  /** What has violated a level since this was last asked; null if nothing has. */
  synchronized @Nullable String violationSinceAsked(IsolationLevel promise) {
    Happened happened = since(asked.get(promise), promise);
    asked.put(promise, mark(promise));
    return happened.findings().isEmpty() ? null : FailureText.of(happened, promise, List.of());
  }

  /** The statements that were not captured, as far as a level that was asked about knows them. */
  synchronized List<Missed> notCaptured() {
    return levels.values().stream().findFirst().map(LevelCheck::notCaptured).orElse(List.of());
  }

  /**
   * A level's check, up to now. Whatever a transaction has read that has ended was written by one
   * that has ended too, or that a heartbeat names as open; after three nobody waits for those that
   * have ended.
   */
  private LevelCheck settled(IsolationLevel promise) {
    LevelCheck known = levels.get(promise);
    LevelCheck level = known == null ? checkFromTheBeginning(promise) : known;
    drain();
    unsettled |= known == null;
    for (int i = 0; i < 3 && unsettled; i++) {
      for (LocalStream stream : streams) {
        var open = stream.open(); // before what has ended meanwhile is taken
        drain();
        record(stream.heartbeat(open));
      }
    }
    unsettled = streams.stream().anyMatch(stream -> !stream.open().isEmpty());
    return level;
  }

  private LevelCheck checkFromTheBeginning(IsolationLevel promise) {
    LevelCheck level = new LevelCheck(name, promise);
    kept.forEach(record -> feed(level, record));
    levels.put(promise, level);
    return level;
  }
}
