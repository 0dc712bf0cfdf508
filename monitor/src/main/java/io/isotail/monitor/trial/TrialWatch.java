package io.isotail.monitor.trial;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.ingest.workload.WorkloadStats;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.StatusLine;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a trial while its workload runs: tells of it, and times what a person waits for. Owned
 * by the trial's thread.
 */
final class TrialWatch {
  private static final int MOST_CAUSES = 3;

  private final TrialConfig config;
  private final TrialStack stack;
  private final Queue<Anomaly> found;
  private final StatusLine out;
  private final Paint paint;
  private final Set<AnomalyKind> announced = EnumSet.noneOf(AnomalyKind.class);
  private final Set<String> incidents = new HashSet<>();
  private final Set<String> causes = new HashSet<>();
  private TrialTimes times = TrialTimes.NONE;
  private long lagKnownNs;

  /**
   * Begins to look.
   *
   * @param found what the monitor finds
   */
  TrialWatch(
      TrialConfig config, TrialStack stack, Queue<Anomaly> found, StatusLine out, Paint paint) {
    this.config = config;
    this.stack = stack;
    this.found = found;
    this.out = out;
    this.paint = paint;
    this.lagKnownNs = stack.startedNs();
  }

  /** Tells what is new, and how things stand when it is time to. */
  void look() {
    long nowNs = System.nanoTime();
    MonitorStatus status = stack.monitor().status();
    measure(status.lag(), nowNs);
    announce();
    if (out.isDue(nowNs)) {
      out.status(words(status, nowNs), nowNs);
    }
  }

  /** Tells what was found since. */
  void announce() {
    for (Anomaly anomaly = found.poll(); anomaly != null; anomaly = found.poll()) {
      if (config.levels().strongest().atLeast(anomaly.level()) && announced.add(anomaly.kind())) {
        announce(anomaly);
      }
    }
    for (StoredIncident incident : stack.monitor().incidents()) {
      if (incident.history().equals(stack.history()) && incidents.add(incident.id())) {
        announce(incident);
      }
    }
    for (StoredCause cause : stack.monitor().causes()) {
      if (cause.history().equals(stack.history())
          && config.levels().strongest().atLeast(cause.level())
          && causes.add(cause.id())) {
        announce(cause);
      }
    }
  }

  /** What was waited for so far. */
  TrialTimes times() {
    return times;
  }

  private void measure(@Nullable Lag lag, long nowNs) {
    lagKnownNs = lag == null ? lagKnownNs : nowNs;
    double seconds = lag == null ? (nowNs - lagKnownNs) / 1e9 : lag.seconds();
    times = times.withLag(seconds, seconds());
  }

  private void announce(Anomaly anomaly) {
    out.line(
        "%s %s, which %s forbids: %s"
            .formatted(
                paint.bad("ANOMALY"),
                paint.bold(anomaly.kind().label()),
                anomaly.level().label(),
                anomaly.explanation()));
    times = times.withFirstAnomaly(seconds());
  }

  private void announce(StoredIncident incident) {
    out.line(
        "%s %s%n         %s/incidents/%s"
            .formatted(
                paint.bad("INCIDENT"),
                paint.bold(incident.document().path("title").asText()),
                stack.monitor().address(),
                incident.id()));
  }

  private void announce(StoredCause cause) {
    times = times.withFirstCause(seconds());
    if (causes.size() <= MOST_CAUSES) {
      out.line(
          "%s    %s%n         %s%n         %s/causes/%s"
              .formatted(
                  paint.bad("CAUSE"),
                  paint.bold(cause.text("title")),
                  cause.document().path("advice").path(0).path("what").asText(),
                  stack.monitor().address(),
                  cause.id()));
    }
  }

  private double seconds() {
    return (System.nanoTime() - stack.startedNs()) / 1e9;
  }

  private String words(MonitorStatus status, long nowNs) {
    WorkloadStats workload = stack.workload().stats();
    HistoryStatus history = status.histories().get(stack.history());
    long s = (nowNs - stack.startedNs()) / 1_000_000_000;
    String done =
        String.format(Locale.ROOT, "%d:%02d  %,d committed", s / 60, s % 60, workload.committed());
    if (history == null) {
      return done + ", nothing checked yet";
    }
    CheckerReport report = history.report();
    return String.format(
        Locale.ROOT,
        "%s · %s · %.1f %% decided · %s of %s",
        done,
        behind(status.lag()),
        100 * report.coverage(),
        Counted.of(
            TrialSummary.broken(report, config.levels().strongest()), "anomaly", "anomalies"),
        Counted.of(causes.size(), "cause", "causes"));
  }

  private static String behind(@Nullable Lag lag) {
    if (lag == null) {
      return "lag not known yet";
    }
    String behind = String.format(Locale.ROOT, "%.1f s behind", lag.seconds());
    return lag.seconds() < 1
        ? behind
        : behind + ", about " + Counted.of(lag.transactions(), "transaction", "transactions");
  }
}
