package io.isotail.monitor.databases;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a script while isotail observes its sessions, and checks what they did. */
final class ObservedReproduction {
  private ObservedReproduction() {}

  /**
   * What the database let happen, and what isotail says of it.
   *
   * @param verdicts of what was captured, by level
   */
  record Result(
      ReproductionRun.Outcome outcome,
      Map<IsolationLevel, Verdict> verdicts,
      List<Anomaly> anomalies,
      CheckerReport report) {}

  /** Runs it. */
  static Result run(Reproduction script, SessionsAt plain) throws Exception {
    Records records = new Records();
    ConnectionWrapper wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("script", ObservedTables.parse("isotail_r(k; v)")), records, "proxy");
    ReproductionRun.Outcome outcome =
        ReproductionRun.run(script, plain, plain.observedBy(wrapper::wrap));
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker =
        new Checker(
            CheckerConfig.forFile("script", IsolationLevel.SERIALIZABLE)
                .withPromise(IsolationLevel.SERIALIZABLE),
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    long offset = 0;
    for (TransactionRecord record : records.all()) {
      checker.accept(offset++, 0, record);
    }
    checker.finish();
    return new Result(outcome, checker.report().verdicts(), anomalies, checker.report());
  }

  private static final class Records implements TransactionSink {
    private final List<TransactionRecord> records = new ArrayList<>();

    @Override
    public void writeStarted(long session, long transaction) {}

    @Override
    public synchronized void transaction(TransactionRecord record) {
      records.add(record);
    }

    synchronized List<TransactionRecord> all() {
      return List.copyOf(records);
    }
  }
}
