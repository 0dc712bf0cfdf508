package io.isotail.junit;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.coverage.CaptureReport.Missed;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.junit.Happened.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks a history at one level, which every transaction is promised. The history is open: others
 * may write beside it, as a tool that sets up the database.
 *
 * <p>Bound: {@link #MOST_ANOMALIES} proven anomalies are kept. Not safe for several threads.
 */
final class LevelCheck implements AnomalyListener {
  private static final int MOST_ANOMALIES = 1_000;

  private final IsolationLevel promise;
  private final Checker checker;

  /** By their place in the order in which they were found. */
  private final Map<Long, Anomaly> found = new LinkedHashMap<>();

  private long proven;
  private long offset;

  @SuppressWarnings("this-escape") // the checker only keeps the listener
  LevelCheck(String history, IsolationLevel promise) {
    this.promise = promise;
    this.checker =
        new Checker(
            CheckerConfig.forLive(history)
                .withPromise(promise)
                .withStrongest(promise)
                .withProvenPerInterval(MOST_ANOMALIES),
            this);
  }

  void accept(StreamRecord record) {
    // Without times: nothing is given up because a test, or who debugs it, takes long.
    checker.accept(offset++, 0, record);
  }

  @Override
  public void found(Anomaly anomaly) {
    found.put(proven++, anomaly);
    if (found.size() > MOST_ANOMALIES) {
      found.remove(found.keySet().iterator().next());
    }
  }

  @Override
  public void repeated(String id, long occurrences) {
    // Its cause counts it.
  }

  /** Where it stands; with what a mark is to say of strangers. */
  Mark mark(long strange) {
    Map<String, Long> violations = new HashMap<>();
    checker.causes().forEach(cause -> violations.put(cause.id(), cause.violations()));
    return new Mark(violations, proven, strange, checker.report());
  }

  /**
   * What has happened since a mark, which is null for the beginning.
   *
   * @param whyNothing why some of it was not captured at all, or null
   */
  Happened since(@Nullable Mark mark, @Nullable String whyNothing) {
    List<Finding> findings = new ArrayList<>();
    for (CauseReport cause : checker.causes()) {
      long before = mark == null ? 0 : mark.violations().getOrDefault(cause.id(), 0L);
      if (cause.violations() > before && promise.atLeast(cause.level())) {
        findings.add(
            new Finding(
                cause,
                cause.violations() - before,
                simplest(cause, mark == null ? 0 : mark.proven())));
      }
    }
    findings.sort(Comparator.comparingLong(Finding::violations).reversed());
    CheckerReport now = checker.report();
    CheckerReport before = mark == null ? null : mark.report();
    return new Happened(
        findings,
        now.transactions() - (before == null ? 0 : before.transactions()),
        ended(now) - (before == null ? 0 : ended(before)),
        now.reads() - (before == null ? 0 : before.reads()),
        now.readsDecided() - (before == null ? 0 : before.readsDecided()),
        now.readsForeign() - (before == null ? 0 : before.readsForeign()),
        now.capture().readsNotCaptured()
            - (before == null ? 0 : before.capture().readsNotCaptured()),
        now.pendingTransactions(),
        undecidedSince(before, now),
        whyNothing);
  }

  /** The statements that were not captured so far, those with the greatest counts first. */
  List<Missed> notCaptured() {
    return checker.report().capture().worst();
  }

  private static long ended(CheckerReport report) {
    return report.transactions() + report.aborted() + report.unknown();
  }

  private static Map<UndecidedReason, Long> undecidedSince(
      @Nullable CheckerReport before, CheckerReport now) {
    Map<UndecidedReason, Long> undecided = new EnumMap<>(UndecidedReason.class);
    now.undecided()
        .forEach(
            (reason, count) -> {
              long more =
                  count - (before == null ? 0 : before.undecided().getOrDefault(reason, 0L));
              if (more > 0) {
                undecided.put(reason, more);
              }
            });
    return undecided;
  }

  /** The simplest anomaly of a cause that was found since, as far as they are kept. */
  private @Nullable Anomaly simplest(CauseReport cause, long since) {
    return found.entrySet().stream()
        .filter(e -> e.getKey() >= since && e.getValue().cause().equals(cause.id()))
        .map(Map.Entry::getValue)
        .min(Comparator.comparingInt(anomaly -> anomaly.capsule().size()))
        .orElse(null);
  }
}
