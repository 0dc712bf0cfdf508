package io.isotail.monitor.trial;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.StatusLine;
import java.time.Duration;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs one trial and tells of it while it runs. */
public final class Trial {
  private static final Duration CAUSES_TIMEOUT = Duration.ofSeconds(12);
  private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(60);

  /** The broker answers twice a second; a log that others write to may never be without lag. */
  private static final Duration MEASURE_TIMEOUT = Duration.ofSeconds(4);

  private static final long LOOK_MS = 50;

  /** What each step may take, so that the trial ends whatever hangs inside it. */
  private static final Duration START_LIMIT = Duration.ofSeconds(150);

  private static final Duration WORKLOAD_LIMIT = Duration.ofSeconds(15);
  private static final Duration CHECK_LIMIT = CATCH_UP_TIMEOUT.plus(CAUSES_TIMEOUT).plusSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(45);

  private final TrialConfig config;
  private final StatusLine out;
  private final Paint paint;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Steps steps = new Steps();
  private final Queue<Anomaly> found = new ConcurrentLinkedQueue<>();

  /** Set once there is one. */
  private volatile @Nullable TrialSummary summary;

  /**
   * A trial that does not run yet.
   *
   * @param out where it tells what goes on
   * @param paint how that is coloured
   */
  public Trial(TrialConfig config, StatusLine out, Paint paint) {
    this.config = config;
    this.out = out;
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
      introduce(stack);
      Duration duration = config.duration();
      steps.enter("the workload", duration == null ? null : duration.plus(WORKLOAD_LIMIT));
      TrialWatch watch = new TrialWatch(config, stack, found, out, paint);
      watch(stack, watch);
      steps.enter("the workload's end", STOP_LIMIT);
      stack.disturber().close();
      stack.workload().close();
      double seconds = (System.nanoTime() - stack.startedNs()) / 1e9;
      TrialTimes times = watch.times();
      say("the workload has ended; what is left is checked …");
      steps.enter("the check of what is left", CHECK_LIMIT);
      stack.emitter().close();
      boolean caughtUp = stack.monitor().awaitCaughtUp(CATCH_UP_TIMEOUT);
      if (!caughtUp) {
        Lag lag = stack.monitor().status().lag();
        say(
            "the monitor has not checked everything within %d s: %s left; %s",
            CATCH_UP_TIMEOUT.toSeconds(),
            lag == null
                ? "nobody knows how much is"
                : Counted.of(lag.records(), "record of the log is", "records of the log are"),
            stack.monitor().status().problem());
      }
      stack.monitor().awaitNoLag(MEASURE_TIMEOUT);
      awaitCauses(stack);
      watch.announce();
      TrialSummary done = TrialSummary.of(config, stack, caughtUp, seconds, times);
      summary = done;
      steps.enter("the end", STOP_LIMIT);
      return done;
    }
  }

  private void introduce(TrialStack stack) {
    String address = stack.database().address();
    if (address != null) {
      say("%s at %s", config.database().name(), address);
    }
    say("Kafka at %s", stack.bootstrap());
    say("page and API: %s", stack.monitor().address());
    say(
        "%s, %sheld to %s, seed %d%s",
        config.database().traffic(config.workload()),
        config.levels().areDefault() ? "" : "at " + config.levels().isolations() + ", ",
        config.levels().promises(),
        config.workload().seed(),
        config.duration() == null ? "; Ctrl-C ends it" : "");
    say("its rows are in %s", stack.database().table());
  }

  /** Causes are published with the next commit, which is made within a second. */
  private static void awaitCauses(TrialStack stack) throws InterruptedException {
    HistoryStatus history = stack.monitor().status().histories().get(stack.history());
    long deadlineNs = System.nanoTime() + CAUSES_TIMEOUT.toNanos();
    while (history != null
        && stack.monitor().causes().stream()
                .filter(cause -> cause.history().equals(stack.history()))
                .mapToLong(StoredCause::violations)
                .sum()
            < TrialSummary.broken(history.report(), IsolationLevel.STRICT_SERIALIZABLE)
        && System.nanoTime() < deadlineNs) {
      Thread.sleep(LOOK_MS);
    }
  }

  private void watch(TrialStack stack, TrialWatch watch) throws InterruptedException {
    Duration duration = config.duration();
    long endNs = duration == null ? Long.MAX_VALUE : stack.startedNs() + duration.toNanos();
    long leftNs = duration == null ? Long.MAX_VALUE : duration.toNanos();
    while (leftNs > 0) {
      long waitNs = Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
      if (stop.await(waitNs, TimeUnit.NANOSECONDS) || stack.workload().isDone()) {
        return;
      }
      watch.look();
      leftNs = duration == null ? Long.MAX_VALUE : endNs - System.nanoTime();
    }
  }

  private void say(String format, @Nullable Object... arguments) {
    out.line(config.name() + ": " + String.format(Locale.ROOT, format, arguments));
  }
}
