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
 * @param readsNotCaptured reads of rows that were not recorded
 * @param undecided why something was not decided
 * @param whyNothing why connections were used of which nothing is captured; null if none were
 */
record Happened(
    List<Finding> findings,
    long transactions,
    long ended,
    long reads,
    long readsDecided,
    long readsNotCaptured,
    Map<UndecidedReason, Long> undecided,
    @Nullable String whyNothing) {

  Happened {
    findings = List.copyOf(findings);
    undecided = Map.copyOf(undecided);
  }

  /**
   * A cause that has struck.
   *
   * @param violations how often it has
   * @param anomaly the simplest that shows it; null if none was proven
   */
  record Finding(CauseReport cause, long violations, @Nullable Anomaly anomaly) {}
}
