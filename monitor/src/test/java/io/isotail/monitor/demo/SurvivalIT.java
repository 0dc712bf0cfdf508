package io.isotail.monitor.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.process.WorkloadProcess;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broker, workload and monitor in processes of their own, over a real PostgreSQL: whatever is
 * killed, the database's traffic goes on, losses are announced, and nothing becomes an alarm.
 */
final class SurvivalIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final String HISTORY = "survival";
  private static final int RATE = 300;

  @TempDir private Path folder;

  @Test
  void killingTheBrokerAndTheWorkloadCostsVerdictsAndNothingElse() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        BrokerProcess broker = BrokerProcess.start(folder.resolve("broker"));
        MonitorService monitor = MonitorService.start(config(broker), anomaly -> {})) {
      String url = url(database, broker);
      try (WorkloadProcess workload =
          new WorkloadProcess(url, "repeatable-read", RATE, folder.resolve("workload.log"))) {
        await("the first transactions", () -> checked(monitor) > 500);

        broker.kill();
        // The queue holds less than a second of traffic: these are more than it can keep.
        long before = workload.committed();
        await("the workload to go on", () -> workload.committed() > before + 5 * RATE);
        assertThat(workload.errors()).isZero();
        long checkedAtOutage = checked(monitor);
        broker.restart();

        await("checking to resume", () -> checked(monitor) > checkedAtOutage + 3 * RATE);
        assertThat(report(monitor).lostRecords()).as("losses are announced").isPositive();
        assertThat(workload.errors()).isZero();
        assertNoAlarm(monitor);

        workload.kill();
      }
      long checkedAtKill = checked(monitor);
      try (WorkloadProcess second =
          new WorkloadProcess(url, "repeatable-read", RATE, folder.resolve("second.log"))) {
        await("the dead proxy to be noticed", () -> report(monitor).silentProxies() == 1);
        await("checking to go on", () -> checked(monitor) > checkedAtKill + 3 * RATE);
        long decided = report(monitor).readsDecided();
        await("reads to be decided", () -> report(monitor).readsDecided() > decided + RATE);
        assertThat(second.errors()).isZero();
        second.stop();
      }
      await("the goodbye", () -> report(monitor).liveProxies() == 0);
      await("nothing to wait", () -> report(monitor).pendingTransactions() == 0);
      assertNoAlarm(monitor);
      assertThat(report(monitor).coverage()).isGreaterThan(0.5);
      System.out.printf(
          "survived: %d transactions, %d records lost, coverage %.3f, undecided %s%n",
          checked(monitor),
          report(monitor).lostRecords(),
          report(monitor).coverage(),
          report(monitor).undecided());
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

  private static String url(EmbeddedDatabase database, BrokerProcess broker) {
    String real = database.jdbcUrl();
    return "jdbc:isotail:"
        + real.substring("jdbc:".length())
        + (real.contains("?") ? "&" : "?")
        + "isotail.kafka="
        + broker.bootstrapServers()
        + "&isotail.history="
        + HISTORY
        + "&isotail.tables=registers(k;v)&isotail.queue-records=200"
        + "&isotail.kafka.buffer.memory=65536";
  }

  private static void assertNoAlarm(MonitorService monitor) {
    assertThat(monitor.anomalies()).isEmpty();
    assertThat(report(monitor).anomalies()).isEmpty();
  }

  private static CheckerReport report(MonitorService monitor) {
    CheckerReport report = monitor.reports().get(HISTORY);
    assertThat(report).isNotNull();
    return report;
  }

  private static long checked(MonitorService monitor) {
    CheckerReport report = monitor.reports().get(HISTORY);
    return report == null ? 0 : report.transactions();
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadlineNs).as("waiting for %s", what).isNegative();
      Thread.sleep(20);
    }
  }
}
