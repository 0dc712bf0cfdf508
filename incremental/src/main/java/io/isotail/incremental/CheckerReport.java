package io.isotail.incremental;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.coverage.CaptureReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.verdict.LevelReport;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a checker stands: verdicts and counters. Counters only grow; the fields under "state", the
 * level checked and what was violated in the window do not.
 *
 * @param levels what is said of each level that may be checked, and why
 * @param checked strongest level that is checked now; those above it are shed
 * @param violatedInWindow weakest level that was violated since the window's oldest transaction, or
 *     null
 * @param sessions sessions ever seen (file), or seen since start (live)
 * @param transactions committed transactions delivered, promoted unknown ones included
 * @param aborted aborted transactions seen
 * @param unknown transactions of unknown outcome seen, less the promoted ones
 * @param operations operations of delivered transactions
 * @param reads reads of committed transactions
 * @param readsDecided reads of committed transactions whose writer was decided: a captured
 *     transaction, or the initial one
 * @param readsBeforeCapture those among them that returned a version of before capture
 * @param readsForeign reads of committed transactions from writers that nobody captured; none of
 *     them is among the decided ones
 * @param capture what applications did beside what the records show, by what their proxies tell
 * @param undecided what could not be decided, by reason
 * @param anomalies distinct anomalies found, by level and kind
 * @param occurrences observations of anomalies, repeats included
 * @param edgesInferred commit-order edges inferred that happens-before did not already imply; none
 *     while delivery order is known to be a commit order, and all of the window's when that ends
 * @param edgesDropped edges dropped because an end had left the window; from prefix on, graphs that
 *     were begun after some had left, and while there is one, transactions that left it with edges
 *     to them
 * @param searches searches for an order of versions, after the guessed one had closed a cycle
 * @param searchSteps steps that they took: events visited, versions moved, choices made
 * @param truncated transactions that left the window
 * @param duplicateRecords records that had been seen before
 * @param duplicateVersions versions installed by more than one committed transaction
 * @param replacedTwice versions of which it is not believed who replaced them, since several
 *     transactions say that they did, or several wrote them
 * @param lostRecords records known to be lost
 * @param badRecords records that made no sense and were skipped
 * @param silentProxies proxies that fell silent without a goodbye
 * @param windowTransactions state: delivered transactions in the window
 * @param pendingTransactions state: transactions that wait for delivery, or for the database's log
 * @param liveSessions state: sessions with a transaction in the window or waiting
 * @param liveProxies state: proxies that promised heartbeats and keep them
 */
public record CheckerReport(
    Map<IsolationLevel, LevelReport> levels,
    IsolationLevel checked,
    @Nullable IsolationLevel violatedInWindow,
    long sessions,
    long transactions,
    long aborted,
    long unknown,
    long operations,
    long reads,
    long readsDecided,
    long readsBeforeCapture,
    long readsForeign,
    CaptureReport capture,
    Map<UndecidedReason, Long> undecided,
    Map<IsolationLevel, Map<AnomalyKind, Long>> anomalies,
    long occurrences,
    long edgesInferred,
    long edgesDropped,
    long searches,
    long searchSteps,
    long truncated,
    long duplicateRecords,
    long duplicateVersions,
    long replacedTwice,
    long lostRecords,
    long badRecords,
    long silentProxies,
    int windowTransactions,
    int pendingTransactions,
    int liveSessions,
    int liveProxies) {

  /** Copies the maps. */
  public CheckerReport {
    levels = Map.copyOf(levels);
    undecided = Map.copyOf(undecided);
    anomalies = Map.copyOf(anomalies);
  }

  /** The verdict for each level that may be checked. */
  public Map<IsolationLevel, Verdict> verdicts() {
    Map<IsolationLevel, Verdict> verdicts = new EnumMap<>(IsolationLevel.class);
    levels.forEach((level, report) -> verdicts.put(level, report.verdict()));
    return verdicts;
  }

  /** Reads of committed transactions of which no writer can be told. */
  public long readsUndecided() {
    return Math.max(0, reads - readsDecided - readsForeign);
  }

  /**
   * Share of the reads whose writer was captured, or wrote before capture began: of the reads of
   * committed transactions and of those that were not captured. 0 when there were none: where
   * nothing is seen nothing is covered.
   */
  public double coverage() {
    long all = reads + capture.readsNotCaptured();
    return all == 0 ? 0.0 : (double) readsDecided / all;
  }
}
