package io.isotail.junit;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.junit.Happened.Finding;
import io.isotail.monitor.render.CauseText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was seen of a test, over all histories. */
final class TestResult {
  private final String name;
  private final IsolationLevel promise;
  private final Map<UndecidedReason, Long> undecided = new EnumMap<>(UndecidedReason.class);
  private final List<Violation> violations = new ArrayList<>();
  private final TreeSet<String> whyNothing = new TreeSet<>();
  private long transactions;
  private long ended;
  private long waiting;
  private long reads;
  private long decided;
  private long foreign;

  TestResult(String name, IsolationLevel promise) {
    this.name = name;
    this.promise = promise;
  }

  /**
   * A violation, as reports tell it.
   *
   * @param title in plain words
   * @param kind the anomaly's name
   * @param times how often it was seen
   * @param cause what it is one of
   * @param anomaly what shows it; null if none was proven
   */
  record Violation(
      String title, String kind, long times, CauseReport cause, @Nullable Anomaly anomaly) {
    Violation(Finding finding) {
      this(
          CauseText.title(finding.cause()),
          finding.cause().kind().label(),
          finding.violations(),
          finding.cause(),
          finding.anomaly());
    }
  }

  /** What one history did. */
  void add(Happened happened) {
    transactions += happened.transactions();
    ended += happened.ended();
    waiting += happened.waiting();
    reads += happened.reads() + happened.readsNotCaptured();
    decided += happened.readsDecided();
    foreign += happened.readsForeign();
    happened.undecided().forEach((reason, count) -> undecided.merge(reason, count, Long::sum));
    if (happened.whyNothing() != null) {
      whyNothing.add(happened.whyNothing());
    }
  }

  String name() {
    return name;
  }

  IsolationLevel promise() {
    return promise;
  }

  List<Violation> violations() {
    return violations;
  }

  long transactions() {
    return transactions;
  }

  long reads() {
    return reads;
  }

  long decided() {
    return decided;
  }

  /** Reads of rows that others had written, who are not captured. */
  long foreign() {
    return foreign;
  }

  Map<UndecidedReason, Long> undecided() {
    return undecided;
  }

  /** Whether all that it read was seen and decided. */
  boolean isDecided() {
    return ended > 0
        && waiting == 0
        && decided == reads
        && undecided.isEmpty()
        && whyNothing.isEmpty();
  }

  /** Whether nothing of it was seen. */
  boolean isBlind() {
    return ended == 0 && reads == 0;
  }

  /** One line. */
  String summary() {
    if (isBlind()) {
      return "nothing was captured"
          + (whyNothing.isEmpty()
              ? ": no transaction on a table that is observed ended on a checked data source"
              : ": " + String.join("; ", whyNothing));
    }
    String doubts =
        undecided.entrySet().stream()
            .map(e -> "%s %,d".formatted(e.getKey().label(), e.getValue()))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s: %,d transactions, %,d of %,d reads decided%s, %s%s",
        promise.label(),
        transactions,
        decided,
        reads,
        foreign == 0 ? "" : String.format(Locale.ROOT, ", %,d of rows that others wrote", foreign),
        violations.isEmpty()
            ? "nothing violates it"
            : violations.stream()
                .map(Violation::title)
                .distinct()
                .collect(Collectors.joining("; ")),
        (doubts.isEmpty() ? "" : "; undecided: " + doubts)
            + (waiting == 0 ? "" : "; %,d wait for one that is still open".formatted(waiting)));
  }
}
