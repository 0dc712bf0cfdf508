package io.isotail.incremental;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.check.StrongLevels;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import java.util.Map;

/**
 * What control records set while the checker runs: how many transactions the window holds, and the
 * strongest level that is checked. A setting that makes no sense is counted and skipped.
 */
final class ControlSettings {
  private final CheckerConfig config;
  private final Counters counters;
  private final VerdictLedger ledger;
  private final StrongLevels strongLevels;
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

  /** Takes over what the record sets. */
  void accept(Control control) {
    for (Map.Entry<String, String> setting : control.settings().entrySet()) {
      try {
        switch (setting.getKey()) {
          case Control.WINDOW -> keep(Integer.parseInt(setting.getValue()));
          case Control.LEVEL -> checkUpTo(IsolationLevel.ofLabel(setting.getValue()));
          default -> counters.badRecords++;
        }
      } catch (IllegalArgumentException e) {
        counters.badRecords++;
      }
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

  /** Saves the size of the window; the level is saved with the strong levels. */
  void save(StateWriter out) {
    out.count(windowTransactions);
  }

  /** Takes back what {@link #save} saved. */
  void load(StateReader in) {
    windowTransactions = in.count();
  }
}
