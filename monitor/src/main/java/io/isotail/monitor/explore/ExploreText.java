package io.isotail.monitor.explore;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.terminal.Paint;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What an exploration found, for people. */
final class ExploreText {
  private static final String ROW = "%-20s %14s %14s %10s %10s  %s%n";

  private final PrintWriter out;
  private final Paint paint;
  private final boolean asserts;

  /**
   * Writes to a stream.
   *
   * @param asserts whether the program asserts anything
   */
  ExploreText(PrintWriter out, Paint paint, boolean asserts) {
    this.out = out;
    this.paint = paint;
    this.asserts = asserts;
  }

  void head() {
    out.printf(ROW, "level", "histories", "end states", "blocked", "seconds", "assertions");
    out.flush();
  }

  void row(LevelRun.Result result) {
    out.printf(
        ROW,
        result.level(),
        "%,d".formatted(result.histories()),
        "%,d".formatted(result.endStates()),
        "%,d".formatted(result.blocked()),
        "%.2f".formatted(result.seconds()),
        assertions(result));
    out.flush();
  }

  private String assertions(LevelRun.Result result) {
    String rest = result.exhausted() ? "" : ", not exhausted";
    if (!asserts) {
      return result.exhausted() ? "none" : "none, not exhausted";
    }
    return result.found() > 0
        ? paint.bad("fail in %,d histories".formatted(result.found())) + rest
        : result.exhausted() ? paint.good("hold") : "not exhausted: no failure so far";
  }

  /** At which of the explored levels they hold, as far as that was seen. */
  void weakest(List<LevelRun.Result> results) {
    if (!asserts) {
      out.printf("%nThe program asserts nothing, so nothing can fail.%n");
      return;
    }
    Optional<LevelRun.Result> holds =
        results.stream().filter(r -> r.exhausted() && r.found() == 0).findFirst();
    Optional<LevelRun.Result> open =
        results.stream().filter(r -> !r.exhausted() && r.found() == 0).findFirst();
    if (holds.isEmpty()) {
      out.printf("%nAt no explored level are all assertions known to hold.%n");
    } else if (isWeakest(holds.get().level(), results)) {
      out.printf("%nWeakest level at which all assertions hold: %s%n", holds.get().level());
    } else {
      out.printf(
          "%nAll assertions hold at %s. Of weaker levels that is not known.%n",
          holds.get().level());
    }
    open.ifPresent(
        result -> out.printf("%s was not exhausted: nothing is said of it.%n", result.level()));
  }

  /** The weakest level of all at which they hold, if that is known. */
  static Optional<LevelRun.Result> weakestThatHolds(
      boolean asserts, List<LevelRun.Result> results) {
    return results.stream()
        .filter(r -> asserts && r.exhausted() && r.found() == 0)
        .findFirst()
        .filter(r -> isWeakest(r.level(), results));
  }

  /** Whether they fail at the next weaker level, or there is none. */
  private static boolean isWeakest(IsolationLevel level, List<LevelRun.Result> results) {
    return level == IsolationLevel.weakest()
        || results.stream().anyMatch(r -> r.level() == level.nextWeaker() && r.found() > 0);
  }

  /** One history, and what is wrong with it. */
  void found(IsolationLevel level, LevelRun.Found found) {
    out.println();
    if (!found.what().isEmpty()) {
      out.println(paint.bold(found.what()));
    }
    out.printf("One history that %s allows:%n%n", level);
    found.timeline().forEach(line -> out.println("  " + line));
    anomaly(found.records())
        .ifPresent(
            anomaly ->
                out.printf(
                    "%n%s (%s): it violates %s%n%s%n",
                    CauseText.plain(anomaly.kind()),
                    anomaly.kind(),
                    anomaly.level(),
                    anomaly.explanation()));
  }

  /** The anomaly of the weakest level that the history violates, if it violates any. */
  static Optional<Anomaly> anomaly(List<TransactionRecord> records) {
    List<Anomaly> found = new ArrayList<>();
    AnomalyListener listener =
        new AnomalyListener() {
          @Override
          public void found(Anomaly anomaly) {
            found.add(anomaly);
          }

          @Override
          public void repeated(String id, long count) {
            // Once is enough.
          }
        };
    Checker checker =
        new Checker(CheckerConfig.forFile("explored", IsolationLevel.SERIALIZABLE), listener);
    for (int i = 0; i < records.size(); i++) {
      checker.accept(i, 0, records.get(i));
    }
    checker.finish();
    return found.stream().min(Comparator.comparing(Anomaly::level));
  }
}
