package io.isotail.monitor.status;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.incremental.verdict.Marker;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where one history stands.
 *
 * @param history its id
 * @param promise level promised to the whole history; null when each transaction has its own
 * @param strongest strongest level that is to be checked
 * @param report the checker's verdicts and counters
 * @param before the same when this instance took the history over: what it did itself is the
 *     difference
 * @param records records handed to the checker
 * @param recordsBefore the same when this instance took the history over
 * @param failure why its checking has stopped, null while it goes on
 * @param transactionsPerSecond over the last ten seconds
 * @param operationsPerSecond over the last ten seconds
 * @param recentTransactions transactions of each of the last seconds, oldest first
 * @param markers changes and notes, oldest first
 * @param track verdicts at the promised level over time
 */
public record HistoryStatus(
    String history,
    @Nullable IsolationLevel promise,
    IsolationLevel strongest,
    CheckerReport report,
    CheckerReport before,
    long records,
    long recordsBefore,
    @Nullable String failure,
    double transactionsPerSecond,
    double operationsPerSecond,
    List<Long> recentTransactions,
    List<Marker> markers,
    VerdictTrack track) {

  /** Copies the lists. */
  public HistoryStatus {
    recentTransactions = List.copyOf(recentTransactions);
    markers = List.copyOf(markers);
  }

  /** The strongest level that was checked and held in the window; empty when none was. */
  public Optional<IsolationLevel> observed() {
    IsolationLevel observed = null;
    for (IsolationLevel level : IsolationLevel.values()) {
      LevelReport said = report.levels().get(level);
      observed = said != null && said.verdict() == Verdict.PASS ? level : observed;
    }
    return Optional.ofNullable(observed);
  }

  /** Whether levels that are to be checked are not checked now, to keep up. */
  public boolean sheds() {
    return report.checked().compareTo(strongest) < 0;
  }
}
