package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.process.WorkloadProcess;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broker, workload and monitor in processes of their own, over a real PostgreSQL: whatever is
 * killed, the database's traffic goes on, losses are announced, and nothing becomes an alarm.
 */
final class SurvivalIT {
  private static final String HISTORY = "survival";
  private static final int RATE = 300;

  @TempDir private Path folder;

  @Test
  void killingTheBrokerAndTheWorkloadCostsVerdictsAndNothingElse() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        BrokerProcess broker = BrokerProcess.start(folder.resolve("broker"));
        MonitorService monitor = MonitorService.start(config(broker), anomaly -> {})) {
      LiveHistory history = new LiveHistory(monitor, HISTORY);
      String url =
          LiveHistory.url(
              database,
              broker.bootstrapServers(),
              HISTORY,
              "&isotail.tables=registers(k;v)&isotail.queue-records=200&isotail.kafka.buffer.memory=65536");
      try (WorkloadProcess workload =
          new WorkloadProcess(url, "repeatable-read", RATE, folder.resolve("workload.log"))) {
        history.await("the first transactions", () -> history.checked() > 500);

        broker.kill();
        // The queue holds less than a second of traffic: these are more than it can keep.
        long before = workload.committed();
        history.await("the workload to go on", () -> workload.committed() > before + 5 * RATE);
        assertThat(workload.errors()).isZero();
        long checkedAtOutage = history.checked();
        broker.restart();

        history.await("checking to resume", () -> history.checked() > checkedAtOutage + 3 * RATE);
        assertThat(history.report().lostRecords()).as("losses are announced").isPositive();
        assertThat(workload.errors()).isZero();
        history.assertNoAlarm();

        workload.kill();
      }
      long checkedAtKill = history.checked();
      try (WorkloadProcess second =
          new WorkloadProcess(url, "repeatable-read", RATE, folder.resolve("second.log"))) {
        history.await("the dead proxy to be noticed", () -> history.report().silentProxies() == 1);
        history.await("checking to go on", () -> history.checked() > checkedAtKill + 3 * RATE);
        long decided = history.report().readsDecided();
        history.await(
            "reads to be decided", () -> history.report().readsDecided() > decided + RATE);
        assertThat(second.errors()).isZero();
        second.stop();
      }
      history.await("the goodbye", () -> history.report().liveProxies() == 0);
      history.await("nothing to wait", () -> history.report().pendingTransactions() == 0);
      history.assertNoAlarm();
      assertThat(history.report().coverage()).isGreaterThan(0.5);
      System.out.printf(
          "survived: %d transactions, %d records lost, coverage %.3f, undecided %s%n",
          history.checked(),
          history.report().lostRecords(),
          history.report().coverage(),
          history.report().undecided());
    }
  }

  private static MonitorConfig config(BrokerProcess broker) throws Exception {
    return MonitorConfig.of(
        Map.of(
            "kafka.bootstrap",
            broker.bootstrapServers(),
            "http.port",
            "0",
            "histories." + HISTORY + ".promise",
            "causal",
            "histories." + HISTORY + ".unique-versions",
            "true",
            "histories." + HISTORY + ".closed",
            "true",
            "histories." + HISTORY + ".proxy.silent-after-ms",
            "3000"));
  }
}
