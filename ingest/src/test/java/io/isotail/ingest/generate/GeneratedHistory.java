package io.isotail.ingest.generate;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A generated history as a list, and what the checker says of it. */
final class GeneratedHistory {
  final List<TransactionRecord> transactions = new ArrayList<>();
  final List<Injection> injected;

  GeneratedHistory(GenerateConfig config) {
    HistoryGenerator generator = new HistoryGenerator(config);
    for (TransactionRecord transaction = generator.next();
        transaction != null;
        transaction = generator.next()) {
      transactions.add(transaction);
    }
    injected = generator.injected();
  }

  Map<IsolationLevel, Verdict> check(List<Anomaly> anomalies) {
    return check(IsolationLevel.CAUSAL, anomalies);
  }

  Map<IsolationLevel, Verdict> check(IsolationLevel strongest, List<Anomaly> anomalies) {
    Checker checker =
        new Checker(
            CheckerConfig.forFile("generated", strongest),
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long count) {}
            });
    long line = 0;
    for (TransactionRecord transaction : transactions) {
      checker.accept(++line, 0, transaction);
    }
    checker.finish();
    return checker.report().verdicts();
  }

  /** For messages of failed tests. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (TransactionRecord t : transactions) {
      text.append(
          "%s/%d %s %s%n"
              .formatted(t.session().name(), t.transaction(), t.outcome(), t.operations()));
    }
    return text.toString();
  }
}
