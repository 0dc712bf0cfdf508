package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.VerdictTrack;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HistoryWorkerTest {
  private long nowNs;

  @Test
  void aFailureInTheCheckerStopsItsHistoryAndShows() {
    HistoryWorker worker =
        worker(
            new HistoryWorker.Findings() {
              @Override
              public void found(Anomaly anomaly, long appendTimeMs, long clockUncertaintyNs) {
                throw new IllegalStateException("out of order");
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    Operations.Builder intermediate = new Operations.Builder().write(1, 10).write(1, 11);
    worker.accept(0, 1, transaction(1, intermediate.build()));
    worker.accept(1, 2, transaction(2, new Operations.Builder().read(1, 10).build()));
    worker.accept(2, 3, transaction(3, new Operations.Builder().write(2, 20).build()));

    HistoryStatus status = worker.status(nowNs);
    assertThat(status.failure()).contains("at offset 1", "out of order");
    assertThat(status.records()).isEqualTo(3);
    assertThat(status.report().transactions()).isLessThan(3);
  }

  @Test
  void ratesCoverTheLastTenSecondsAndTheSparklineTheLastMinute() {
    HistoryWorker worker = worker(NOTHING);
    HistoryStatus status = worker.status(nowNs);
    assertThat(status.transactionsPerSecond()).isZero();
    long offset = 0;
    for (int second = 0; second < 120; second++) {
      int transactions = second < 60 ? 4 : 2;
      for (int i = 0; i < transactions; i++) {
        worker.accept(
            offset, 1, transaction(offset, new Operations.Builder().write(7, offset).build()));
        offset++;
      }
      nowNs += 1_000_000_000L;
      status = worker.status(nowNs);
    }
    assertThat(status.transactionsPerSecond()).isEqualTo(2.0);
    assertThat(status.operationsPerSecond()).isEqualTo(2.0);
    assertThat(status.recentTransactions()).hasSize(60).containsOnly(2L);
  }

  @Test
  void withOtherSettingsItBeginsAnewAsAfterALossThatNobodyIsToldOf() {
    HistoryWorker worker = worker(NOTHING);
    for (int i = 0; i < 100; i++) {
      worker.accept(i, 1, transaction(i, new Operations.Builder().write(7, i).build()));
      nowNs += 100_000_000L;
      worker.status(nowNs);
    }
    worker.reload(settings("defaults.closed", "false"), 100);
    worker.accept(100, 1, transaction(500, new Operations.Builder().read(7, 99).build()));
    HistoryStatus status = worker.status(nowNs + 1_000_000_000L);
    assertThat(status.transactionsPerSecond()).isNotNegative();
    assertThat(status.recentTransactions()).allMatch(n -> n >= 0);
    assertThat(status.report().lostRecords() - status.before().lostRecords()).isZero();
    assertThat(status.report().lostRecords()).isEqualTo(1);
    assertThat(status.report().anomalies()).isEmpty();
  }

  @Test
  void theVerdictIsKeptOverTheTimeOfTheLog() {
    HistoryWorker worker = worker(NOTHING);
    assertThat(worker.status(nowNs).track().changes()).as("before the first record").isEmpty();
    worker.accept(0, 60_000, transaction(1, new Operations.Builder().write(1, 10).build()));
    worker.status(nowNs);
    Operations.Builder intermediate = new Operations.Builder().write(1, 11).write(1, 12);
    worker.accept(1, 180_000, transaction(2, intermediate.build()));
    worker.accept(2, 180_001, transaction(3, new Operations.Builder().read(1, 11).build()));
    VerdictTrack track = worker.status(nowNs).track();
    assertThat(track.changes())
        .containsExactly(
            new VerdictTrack.Change(60_000, Verdict.PASS),
            new VerdictTrack.Change(180_001, Verdict.FAIL));
    assertThat(track.untilMs()).isEqualTo(180_001);
  }

  @Test
  void controlRecordsShedNothingWhereTheyAreNotObeyed() {
    HistoryWorker worker = worker(NOTHING);
    worker.accept(0, 1, new Control(Map.of(Control.LEVEL, "causal", Control.WINDOW, "9")));
    assertThat(worker.status(nowNs).sheds()).isTrue();
    HistoryConfig deaf = settings("defaults.shed.obey", "false");
    worker.reload(deaf, 1);
    assertThat(worker.status(nowNs).sheds()).as("at once").isFalse();
    worker.accept(1, 1, new Control(Map.of(Control.LEVEL, "causal")));
    assertThat(worker.status(nowNs).sheds()).as("from now on").isFalse();
    assertThat(worker.status(nowNs).report().badRecords()).isZero();
  }

  private static HistoryConfig settings(String name, String value) {
    Map<String, String> settings =
        new HashMap<>(Map.of("defaults.closed", "true", "defaults.unique-versions", "true"));
    settings.put(name, value);
    return MonitorConfig.of(settings).history("shop");
  }

  private static final HistoryWorker.Findings NOTHING =
      new HistoryWorker.Findings() {
        @Override
        public void found(Anomaly anomaly, long appendTimeMs, long clockUncertaintyNs) {}

        @Override
        public void repeated(String id, long occurrences) {}
      };

  private static HistoryWorker worker(HistoryWorker.Findings findings) {
    return new HistoryWorker("shop", settings("defaults.closed", "true"), findings);
  }

  private static TransactionRecord transaction(long session, Operations operations) {
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, null, null, null, null, 0),
        0,
        0,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations);
  }
}
