package io.isotail.monitor.trial;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.workload.WorkloadStats;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.terminal.Paint;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs one trial and tells of it while it runs. */
public final class Trial {
  private static final Duration CAUSES_TIMEOUT = Duration.ofSeconds(12);
  private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(60);
  private static final long TICK_MS = 1_000;

  /** What each step may take, so that the trial ends whatever hangs inside it. */
  private static final Duration START_LIMIT = Duration.ofSeconds(150);

  private static final Duration WORKLOAD_LIMIT = Duration.ofSeconds(15);
  private static final Duration CHECK_LIMIT = CATCH_UP_TIMEOUT.plus(CAUSES_TIMEOUT).plusSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(45);

  private final TrialConfig config;
  private final PrintWriter progress;
  private final Paint paint;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Steps steps = new Steps();
  private final Queue<Anomaly> found = new ConcurrentLinkedQueue<>();
  private final Set<AnomalyKind> announced = EnumSet.noneOf(AnomalyKind.class);

  /** Set once there is one. */
  private volatile @Nullable TrialSummary summary;

  /**
   * A trial that does not run yet.
   *
   * @param progress where it tells what goes on
   * @param paint how that is coloured
   */
  public Trial(TrialConfig config, PrintWriter progress, Paint paint) {
    this.config = config;
    this.progress = progress;
    this.paint = paint;
  }

  /** Ends the workload soon; {@link #run} then finishes as after its duration. */
  public void stop() {
    stop.countDown();
  }

  /**
   * Starts everything, runs the workload, waits until all of it is checked, and stops everything.
   *
   * @throws TrialException when a part does not start; a {@link TrialHangsException} when one
   *     hangs, so that it may run on in this process
   */
  public TrialSummary run() throws TrialException, InterruptedException {
    try {
      return steps.run(this::runSteps, "isotail-trial");
    } catch (Steps.StuckException e) {
      throw new TrialHangsException(String.valueOf(e.getMessage()), e, summary);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TrialException known) {
        throw known;
      }
      throw new TrialException(String.valueOf(e.getCause()), e);
    }
  }

  private TrialSummary runSteps() throws TrialException, InterruptedException {
    steps.enter("the start", START_LIMIT);
    say("starting %s%s …", config.database().name(), config.kafka() == null ? " and Kafka" : "");
    try (TrialStack stack = TrialStack.start(config, found::add)) {
      say("page and API: %s", stack.monitor().address());
      say(
          "%d sessions on %d registers at %s, promised %s, seed %d%s",
          config.workload().sessions(),
          config.workload().keys(),
          config.levels().isolations(),
          config.levels().promises(),
          config.workload().seed(),
          config.duration() == null ? "; Ctrl-C ends it" : "");
      say("its registers are in %s", stack.table());
      long startNs = System.nanoTime();
      Duration duration = config.duration();
      steps.enter("the workload", duration == null ? null : duration.plus(WORKLOAD_LIMIT));
      watch(stack);
      steps.enter("the workload's end", STOP_LIMIT);
      stack.disturber().close();
      stack.workload().close();
      double seconds = (System.nanoTime() - startNs) / 1e9;
      say("workload ended; waiting until everything is checked …");
      steps.enter("the check of what is left", CHECK_LIMIT);
      stack.emitter().close();
      boolean caughtUp = stack.monitor().awaitCaughtUp(CATCH_UP_TIMEOUT);
      if (!caughtUp) {
        say(
            "the monitor has not checked everything within %d s: %d records left; %s",
            CATCH_UP_TIMEOUT.toSeconds(),
            stack.monitor().status().lagRecords(),
            stack.monitor().status().problem());
      }
      announce();
      awaitCauses(stack);
      TrialSummary done = TrialSummary.of(config, stack, caughtUp, seconds);
      summary = done;
      steps.enter("the end", STOP_LIMIT);
      return done;
    }
  }

  /** Causes are published with the next commit, which is made within a second. */
  private static void awaitCauses(TrialStack stack) throws InterruptedException {
    HistoryStatus history = stack.monitor().status().histories().get(stack.history());
    long deadlineNs = System.nanoTime() + CAUSES_TIMEOUT.toNanos();
    while (history != null
        && stack.monitor().causes().stream().mapToLong(StoredCause::violations).sum()
            < TrialSummary.broken(history.report(), IsolationLevel.STRICT_SERIALIZABLE)
        && System.nanoTime() < deadlineNs) {
      Thread.sleep(TICK_MS / 20);
    }
  }

  private void watch(TrialStack stack) throws InterruptedException {
    Duration duration = config.duration();
    long endNs = duration == null ? Long.MAX_VALUE : System.nanoTime() + duration.toNanos();
    long leftNs = duration == null ? Long.MAX_VALUE : duration.toNanos();
    while (leftNs > 0) {
      long waitNs = Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(TICK_MS));
      if (stop.await(waitNs, TimeUnit.NANOSECONDS) || stack.workload().isDone()) {
        return;
      }
      announce();
      tick(stack);
      leftNs = duration == null ? Long.MAX_VALUE : endNs - System.nanoTime();
    }
  }

  private void tick(TrialStack stack) {
    WorkloadStats workload = stack.workload().stats();
    MonitorStatus status = stack.monitor().status();
    HistoryStatus history = status.histories().get(stack.history());
    if (history == null) {
      say("%,d committed; nothing checked yet", workload.committed());
      return;
    }
    CheckerReport report = history.report();
    say(
        "%,d committed, %,d retried | %,d checked (%,.0f/s), lag %,d records | coverage %.1f %% |"
            + " %,d anomalies",
        workload.committed(),
        workload.retried(),
        report.transactions(),
        history.transactionsPerSecond(),
        status.lagRecords(),
        100 * report.coverage(),
        TrialSummary.broken(report, config.levels().strongest()));
  }

  /** Tells of each kind of anomaly once. */
  private void announce() {
    for (Anomaly anomaly = found.poll(); anomaly != null; anomaly = found.poll()) {
      if (config.levels().strongest().atLeast(anomaly.level()) && announced.add(anomaly.kind())) {
        say(
            "%s %s (violates %s): %s",
            paint.bad("ANOMALY"),
            paint.bold(anomaly.kind().label()),
            anomaly.level().label(),
            anomaly.explanation());
      }
    }
  }

  private void say(String format, @Nullable Object... arguments) {
    progress.println(config.name() + ": " + String.format(Locale.ROOT, format, arguments));
    progress.flush();
  }
}
