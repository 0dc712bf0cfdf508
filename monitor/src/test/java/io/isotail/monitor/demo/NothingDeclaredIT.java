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
 * Two applications in processes of their own, of which one makes its tables after it has connected
 * and is killed. Neither they nor the monitor declare tables or versions: nearly all reads are
 * decided at every level, and nothing becomes an alarm.
 */
final class NothingDeclaredIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final String HISTORY = "undeclared";
  private static final int RATE = 300;

  @TempDir private Path folder;

  @Test
  void whoWroteARowIsKnownWithoutDeclarations() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        BrokerProcess broker = BrokerProcess.start(folder.resolve("broker"));
        MonitorService monitor = MonitorService.start(config(broker), anomaly -> {})) {
      String url = url(database, broker);
      try (WorkloadProcess first =
          new WorkloadProcess(url, "serializable", RATE, folder.resolve("first.log"))) {
        await("the first transactions", () -> checked(monitor) > 2 * RATE);
        first.kill();
      }
      try (WorkloadProcess second =
          new WorkloadProcess(url, "serializable", RATE, folder.resolve("second.log"))) {
        await("the dead proxy to be noticed", () -> report(monitor).silentProxies() == 1);
        long reads = report(monitor).reads();
        long decided = report(monitor).readsDecided();
        await("more transactions", () -> report(monitor).reads() > reads + 5 * RATE);
        CheckerReport now = report(monitor);
        double share = (double) (now.readsDecided() - decided) / (now.reads() - reads);
        assertThat(share).as("decided of the reads after the kill").isGreaterThan(0.98);
        assertThat(second.errors()).isZero();
        second.stop();
      }
      await("the goodbye", () -> report(monitor).liveProxies() == 0);
      await("nothing to wait", () -> report(monitor).pendingTransactions() == 0);
      System.out.printf(
          "nothing declared: %d transactions, coverage %.3f, undecided %s%n",
          checked(monitor), report(monitor).coverage(), report(monitor).undecided());
      assertThat(monitor.anomalies()).isEmpty();
      assertThat(report(monitor).anomalies()).isEmpty();
      assertThat(report(monitor).coverage()).isGreaterThan(0.95);
    }
  }

  private static MonitorConfig config(BrokerProcess broker) throws Exception {
    return MonitorConfig.of(
        Map.of(
            "kafka.bootstrap",
            broker.bootstrapServers(),
            "http.port",
            "0",
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
        + HISTORY;
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
