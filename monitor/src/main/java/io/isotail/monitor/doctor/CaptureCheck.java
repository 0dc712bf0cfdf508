package io.isotail.monitor.doctor;

import io.isotail.monitor.doctor.Diagnosis.Fact;
import io.isotail.monitor.doctor.Diagnosis.Problem;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a proxy has captured what was said through it, by what it counts before and after. Other
 * clients count too: their statements may hide that ours are missing, and never the other way
 * round.
 */
final class CaptureCheck {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(8);
  private static final long PAUSE_MS = 100;
  private static final String STATEMENTS = "isotail_proxy_statements_total";
  private static final String CAPTURED = STATEMENTS + "{outcome=\"captured\"}";
  private static final String LOST = "isotail_proxy_records_lost_total";
  private static final String HEARTBEATS = "isotail_proxy_heartbeats_total";

  private final ProxyTarget target;
  private final ProxyCounts before;
  private final List<Fact> facts = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  private CaptureCheck(ProxyTarget target, ProxyCounts before) {
    this.target = target;
    this.before = before;
  }

  /** Counts before anything is said; null if there are no metrics to ask. */
  static @Nullable CaptureCheck begin(ProxyTarget target)
      throws UnansweredException, InterruptedException {
    URI metrics = target.metrics();
    return metrics == null
        ? null
        : new CaptureCheck(target, ProxyCounts.of(metrics, target.authorization()));
  }

  List<Fact> facts() {
    return facts;
  }

  List<Problem> problems() {
    return problems;
  }

  /**
   * Counts again, and waits a little for what is missing.
   *
   * @param statements how many statements on tables were sent
   */
  void end(int statements) throws UnansweredException, InterruptedException {
    URI metrics = Objects.requireNonNull(target.metrics());
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    ProxyCounts after = ProxyCounts.of(metrics, target.authorization());
    while (!isComplete(after, statements) && System.nanoTime() - deadlineNs < 0) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      after = ProxyCounts.of(metrics, target.authorization());
    }
    if (after.since(before, "isotail_proxy_sessions_total") < 1) {
      problem(
          "capture",
          "the metrics at %s count no connection of ours".formatted(metrics),
          "name in --metrics the http.port of the proxy at " + target.proxy());
      return;
    }
    statements(after, statements);
    connections(after);
    kafka(after);
  }

  private boolean isComplete(ProxyCounts after, int statements) {
    return captured(after) >= statements && after.since(before, HEARTBEATS) > 0;
  }

  private long captured(ProxyCounts after) {
    return Math.round(after.of(CAPTURED) - before.of(CAPTURED));
  }

  private void statements(ProxyCounts after, int statements) {
    long captured = captured(after);
    if (statements == 0) {
      fact("capture", "no statement on tables was sent");
    } else if (captured >= statements) {
      fact("capture", "all %d statements on tables were captured".formatted(statements));
    } else {
      problem(
          "capture",
          "of %d statements on tables %d were captured; meanwhile others were not, by reason: %s"
              .formatted(
                  statements,
                  captured,
                  after.grown(before, "isotail_proxy_statements_not_captured_total", "reason")),
          "not-observed: see tables in the proxy's settings, and isotail doctor --url; others: the"
              + " monitor's page lists the statements");
    }
  }

  private void connections(ProxyCounts after) {
    long lost =
        after.since(before, "isotail_proxy_connections_uncaptured_total")
            + after.since(before, "isotail_proxy_conversation_failures_total")
            + after.since(before, "isotail_proxy_framing_lost_total");
    if (lost > 0) {
      problem(
          "capture",
          "%d connections went on uncaptured meanwhile".formatted(lost),
          "the proxy's log says why");
    }
  }

  private void kafka(ProxyCounts after) {
    double waiting = after.sum("isotail_proxy_queue_records");
    double lost = after.sum(LOST);
    String records =
        "%,.0f records wait, %,.0f were lost since the proxy began".formatted(waiting, lost);
    if (after.since(before, HEARTBEATS) > 0) {
      fact("kafka", "answers the proxy; " + records);
    } else {
      problem(
          "kafka",
          "does not answer the proxy; " + records,
          "see kafka and the kafka.… settings of the proxy; records wait two minutes, then they are"
              + " lost");
    }
    if (after.since(before, LOST) > 0) {
      problem(
          "kafka",
          "%d records were lost meanwhile".formatted(after.since(before, LOST)),
          "see the runbook IsotailProxyLosesEvents");
    }
  }

  private void fact(String subject, String words) {
    facts.add(new Fact(subject, words));
  }

  private void problem(String subject, String words, String advice) {
    problems.add(new Problem(subject, words, advice));
  }
}
