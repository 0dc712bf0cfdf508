package io.isotail.incremental;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.check.StrongLevels;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.Marker;
import io.isotail.incremental.verdict.Markers;
import io.isotail.incremental.verdict.Moment;
import io.isotail.incremental.verdict.SeenVersions;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.Transaction;
import java.util.Map;
import java.util.TreeMap;

/**
 * What control records set while the checker runs: how many transactions the window holds, and the
 * strongest level that is checked. Each change is marked, so is another version of an application,
 * and what people note. A setting that makes no sense is counted and skipped.
 */
final class ControlSettings {
  private final CheckerConfig config;
  private final Counters counters;
  private final VerdictLedger ledger;
  private final StrongLevels strongLevels;
  private final Markers markers = new Markers();
  private final SeenVersions versions = new SeenVersions();
  private int windowTransactions;

  /** As {@code config} says, until a control record says otherwise. */
  ControlSettings(
      CheckerConfig config, Counters counters, VerdictLedger ledger, StrongLevels strongLevels) {
    this.config = config;
    this.counters = counters;
    this.ledger = ledger;
    this.strongLevels = strongLevels;
    this.windowTransactions = config.windowTransactions();
  }

  /** So many transactions the window holds at most. */
  int windowTransactions() {
    return windowTransactions;
  }

  /** What was set and noted so far. */
  Markers markers() {
    return markers;
  }

  /** Goes on with the markers and versions of a checker in whose place this one comes. */
  void goOnFrom(ControlSettings before) {
    before.markers.all().forEach(markers::add);
    versions.addAll(before.versions);
  }

  /** Takes over what the record sets, in the order of the names. */
  void accept(Control control, Moment now) {
    for (Map.Entry<String, String> setting : new TreeMap<>(control.settings()).entrySet()) {
      String value = setting.getValue();
      try {
        switch (setting.getKey()) {
          case Control.WINDOW -> {
            keep(Integer.parseInt(value));
            markers.add(new Marker(now, "window of %s transactions".formatted(value)));
          }
          case Control.LEVEL -> {
            checkUpTo(IsolationLevel.ofLabel(value));
            markers.add(new Marker(now, "checked up to " + value));
          }
          case Control.NOTE -> markers.add(new Marker(now, value));
          default -> counters.badRecords++;
        }
      } catch (IllegalArgumentException e) {
        counters.badRecords++;
      }
    }
  }

  /** A transaction is delivered: another version of its application is marked once. */
  void delivered(Transaction t) {
    String version = t.origin == null ? null : t.origin.version();
    if (version != null && versions.add(version)) {
      markers.add(new Marker(ledger.now(), version));
    }
  }

  /** A wider window knows nothing of what a narrower one has let go: its passes begin anew. */
  private void keep(int transactions) {
    if (transactions > windowTransactions && counters.truncated > 0) {
      ledger.doubtEverywhere(UndecidedReason.CAPACITY);
    }
    windowTransactions = Math.max(2, transactions);
  }

  private void checkUpTo(IsolationLevel level) {
    if (!level.atLeast(IsolationLevel.strongestWeak())) {
      throw new IllegalArgumentException(
          "level %s; expected %s or a stronger one"
              .formatted(level, IsolationLevel.strongestWeak()));
    }
    strongLevels.checkUpTo(level.weakerOf(config.strongest()));
  }

  /**
   * Saves the size of the window, the markers and the versions seen; the level is saved with the
   * strong levels.
   */
  void save(StateWriter out) {
    out.count(windowTransactions);
    markers.save(out);
    versions.save(out);
  }

  /** Takes back what {@link #save} saved. */
  void load(StateReader in) {
    windowTransactions = in.count();
    markers.load(in);
    versions.load(in);
  }
}
