package io.isotail.incremental;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One run of the checker over a whole stream. */
final class CheckRun implements AnomalyListener {
  final List<Anomaly> anomalies = new ArrayList<>();
  final Map<String, Long> occurrences = new HashMap<>();
  final Checker checker;
  CheckerReport report;
  private long offset;

  /** From ample room to none at all: no answer may depend on it. */
  static final List<Tuning> TUNINGS =
      List.of(
          Tuning.DEFAULT,
          new Tuning(0, 0, 0, 0, 0, 0, 0, 0, 100_000, 0, 0, 0),
          new Tuning(120, 3, 0, 0, 2, 2, 1, 3, 100_000, 40, 1, 0),
          new Tuning(4_000, 3, 0, 0, 2, 2, 1, 0, 100_000, 10, 2, 8_191),
          Tuning.DEFAULT.lookingBack(0),
          new Tuning(120, 3, 0, 0, 2, 2, 1, 200_000, 100_000, 40, 1, 0),
          new Tuning(4_000, 30, 0, 0, 8, 8, 2, 200, 100_000, 10, 3, 8_191));

  CheckRun(CheckerConfig config) {
    this(config, 0);
  }

  /** A run with room for caches that depends on {@code seed}. */
  CheckRun(CheckerConfig config, long seed) {
    this(config, TUNINGS.get((int) (seed % TUNINGS.size())));
  }

  CheckRun(CheckerConfig config, Tuning tuning) {
    checker = new Checker(config, this, tuning);
    report = checker.report();
  }

  static CheckRun of(CheckerConfig config, long seed, List<? extends StreamRecord> stream) {
    CheckRun run = new CheckRun(config, seed);
    for (StreamRecord record : stream) {
      run.accept(0, record);
    }
    return run.finish();
  }

  static CheckRun of(CheckerConfig config, List<? extends StreamRecord> stream) {
    return of(config, 0, stream);
  }

  CheckRun accept(long timeMs, StreamRecord record) {
    checker.accept(offset++, timeMs, record);
    report = checker.report();
    return this;
  }

  CheckRun finish() {
    checker.finish();
    report = checker.report();
    return this;
  }

  /** The history as the naive checker takes it. */
  static List<NaiveChecker.Input> inputs(List<TransactionRecord> history) {
    List<NaiveChecker.Input> inputs = new ArrayList<>();
    for (TransactionRecord t : history) {
      inputs.add(NaiveChecker.Input.of(t));
    }
    return inputs;
  }

  @Override
  public void found(Anomaly anomaly) {
    anomalies.add(anomaly);
    occurrences.put(anomaly.id(), 1L);
  }

  @Override
  public void repeated(String id, long count) {
    occurrences.put(id, count);
  }
}
