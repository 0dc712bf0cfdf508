package io.isotail.incremental.explore;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.Map;

/** What the checker says of a whole history. */
final class CheckedRecords {
  private CheckedRecords() {}

  /** The verdicts on records, delivered in their order. */
  static Map<IsolationLevel, Verdict> verdicts(
      CheckerConfig config, List<TransactionRecord> records) {
    Checker checker = new Checker(config, IGNORED);
    for (int i = 0; i < records.size(); i++) {
      checker.accept(i, 0, records.get(i));
    }
    checker.finish();
    return checker.report().verdicts();
  }

  private static final AnomalyListener IGNORED =
      new AnomalyListener() {
        @Override
        public void found(Anomaly anomaly) {
          // The verdict tells.
        }

        @Override
        public void repeated(String id, long count) {
          // The verdict tells.
        }
      };
}
