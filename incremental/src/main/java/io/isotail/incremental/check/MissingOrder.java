package io.isotail.incremental.check;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;

/**
 * The orders that a transaction should have told and did not: real time without times, or by clocks
 * that are not compared, and the versions of a list where several may have written one.
 */
final class MissingOrder {
  private final VerdictLedger ledger;
  private final ClocksInWindow clocks = new ClocksInWindow();
  private final boolean comparesClocks;
  private final boolean readsLists;

  MissingOrder(CheckerConfig config, VerdictLedger ledger) {
    this.ledger = ledger;
    this.comparesClocks = config.clockUncertaintyNs() != CheckerConfig.NEVER_COMPARED;
    this.readsLists = config.uniqueVersions();
  }

  /**
   * Puts in doubt what a transaction, which is delivered, should have told.
   *
   * @param strongest the strongest level that is checked
   */
  void delivered(Transaction t, IsolationLevel strongest) {
    clocks.add(t);
    noteTimes(t, strongest);
    noteLists(t, strongest);
  }

  /** A committed transaction leaves the window. */
  void removed(Transaction t) {
    clocks.remove(t);
  }

  /** Counts the clocks of the window, which is loaded. */
  void load(Window window) {
    for (Transaction t : window) {
      clocks.add(t);
    }
  }

  /**
   * Where several may have written a version, a list read does not tell the order of the writers.
   */
  private void noteLists(Transaction t, IsolationLevel strongest) {
    if (leavesOutLists(t)) {
      ledger.undecided(IsolationLevel.weakestStrong(), strongest, UndecidedReason.LIST_ORDER);
    }
  }

  /** Whether a transaction read lists, whose order the graphs of the strong levels do not hold. */
  boolean leavesOutLists(Transaction t) {
    for (int i = 0; i < t.operations.size() && !readsLists; i++) {
      if (t.operations.listedBefore(i)) {
        return true;
      }
    }
    return false;
  }

  /** Without times a transaction is not known to be ordered as the strict level asks for. */
  private void noteTimes(Transaction t, IsolationLevel strongest) {
    boolean strict = strongest.followsRealTime() && t.promise.followsRealTime();
    boolean ends = t.times.hasEnd() || t.outcome != Outcome.COMMITTED;
    if (strict && !(t.times.orderable() && ends)) {
      ledger.undecided(strongest, strongest, UndecidedReason.NO_TIMES);
    }
    if (strict && clocks.several() && !comparesClocks) {
      ledger.undecided(strongest, strongest, UndecidedReason.CLOCKS_NOT_COMPARED);
    }
  }
}
