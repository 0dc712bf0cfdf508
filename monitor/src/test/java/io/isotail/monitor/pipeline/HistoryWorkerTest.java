package io.isotail.monitor.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.status.HistoryStatus;
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
              public void found(Anomaly anomaly, long appendTimeMs) {
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

  private static final HistoryWorker.Findings NOTHING =
      new HistoryWorker.Findings() {
        @Override
        public void found(Anomaly anomaly, long appendTimeMs) {}

        @Override
        public void repeated(String id, long occurrences) {}
      };

  private static HistoryWorker worker(HistoryWorker.Findings findings) {
    MonitorConfig config =
        MonitorConfig.of(Map.of("defaults.closed", "true", "defaults.unique-versions", "true"));
    return new HistoryWorker("shop", config.history("shop"), findings);
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
