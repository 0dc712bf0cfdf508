package io.isotail.monitor.status;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where one history stands.
 *
 * @param history its id
 * @param promise level promised to the whole history; null when each transaction has its own
 * @param report the checker's verdicts and counters
 * @param before the same when this instance took the history over: what it did itself is the
 *     difference
 * @param records records handed to the checker
 * @param recordsBefore the same when this instance took the history over
 * @param failure why its checking has stopped, null while it goes on
 * @param transactionsPerSecond over the last ten seconds
 * @param operationsPerSecond over the last ten seconds
 * @param recentTransactions transactions of each of the last seconds, oldest first
 */
public record HistoryStatus(
    String history,
    @Nullable IsolationLevel promise,
    CheckerReport report,
    CheckerReport before,
    long records,
    long recordsBefore,
    @Nullable String failure,
    double transactionsPerSecond,
    double operationsPerSecond,
    List<Long> recentTransactions) {

  /** Copies the list. */
  public HistoryStatus {
    recentTransactions = List.copyOf(recentTransactions);
  }

  /**
   * The strongest checked level that was not seen violated, weaker ones included; empty when even
   * the weakest is.
   */
  public Optional<IsolationLevel> observed() {
    IsolationLevel strongest = null;
    for (IsolationLevel level : IsolationLevel.values()) {
      Verdict verdict = report.verdicts().get(level);
      if (verdict == Verdict.FAIL) {
        break;
      }
      if (verdict != null) {
        strongest = level;
      }
    }
    return Optional.ofNullable(strongest);
  }
}
