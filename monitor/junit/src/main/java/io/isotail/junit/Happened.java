package io.isotail.junit;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a history did between two moments, such as the beginning and the end of a test.
 *
 * @param findings what violates the level that was asked about
 * @param transactions that committed, and were checked
 * @param ended transactions that were seen, whatever became of them
 * @param reads of committed transactions
 * @param readsDecided reads of which the writer was captured, or wrote before capture
 * @param readsForeign reads of rows that nobody wrote who is captured, such as a fixture; not
 *     decided
 * @param readsNotCaptured reads of rows that were not recorded
 * @param waiting transactions that cannot be judged before one has ended that is still open
 * @param undecided why something was not decided
 * @param whyNothing why connections were used of which nothing is captured; null if none were
 */
record Happened(
    List<Finding> findings,
    long transactions,
    long ended,
    long reads,
    long readsDecided,
    long readsForeign,
    long readsNotCaptured,
    long waiting,
    Map<UndecidedReason, Long> undecided,
    @Nullable String whyNothing) {

  Happened {
    findings = List.copyOf(findings);
    undecided = Map.copyOf(undecided);
  }

  /** Of a history of which nothing is checked, for this reason, or where nothing was done. */
  static Happened nothing(@Nullable String why) {
    return new Happened(List.of(), 0, 0, 0, 0, 0, 0, 0, Map.of(), why);
  }

  /**
   * A cause that has struck.
   *
   * @param violations how often it has
   * @param anomaly the simplest that shows it; null if none was proven
   */
  record Finding(CauseReport cause, long violations, @Nullable Anomaly anomaly) {}
}
