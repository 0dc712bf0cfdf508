package io.isotail.incremental.explore.verdict;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * An explored history that is kept, as people and the checker read it.
 *
 * @param what the assertion that fails, in words; empty if none does
 * @param timeline lines for people
 * @param records for the checker; each tells the level of its transaction where the program mixes
 *     levels, else none does
 */
public record ExploredWitness(String what, List<String> timeline, List<TransactionRecord> records) {
  /** Copies the lists. */
  public ExploredWitness {
    timeline = List.copyOf(timeline);
    records = List.copyOf(records);
  }

  /**
   * Keeps a history.
   *
   * @param level the level that it was explored at
   */
  public static ExploredWitness of(ExploredHistory history, IsolationLevel level) {
    String failure = history.failure();
    return new ExploredWitness(
        failure == null ? "" : failure,
        Timeline.of(history, level),
        HistoryRecords.of(history, level));
  }

  /** Whether a transaction of it aborted; the checker does not ask what that one has read. */
  public boolean hasAborted() {
    return records.stream().anyMatch(record -> record.outcome() == Outcome.ABORTED);
  }

  /** The anomaly of the weakest level that the history violates, if it violates any. */
  public Optional<Anomaly> anomaly() {
    return anomalies().stream().min(Comparator.comparing(Anomaly::level));
  }

  /** The anomalies that the checker finds in the history up to serializable. */
  public List<Anomaly> anomalies() {
    List<Anomaly> found = new ArrayList<>();
    AnomalyListener listener =
        new AnomalyListener() {
          @Override
          public void found(Anomaly anomaly) {
            found.add(anomaly);
          }

          @Override
          public void repeated(String id, long count) {
            // Once is enough.
          }
        };
    CheckerConfig config =
        CheckerConfig.forFile("explored", IsolationLevel.SERIALIZABLE)
            .withPromise(IsolationLevel.SERIALIZABLE);
    Checker checker = new Checker(config, listener);
    for (int i = 0; i < records.size(); i++) {
      checker.accept(i, 0, records.get(i));
    }
    checker.finish();
    return found;
  }
}
