package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.process.WorkloadProcess;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two applications in processes of their own, of which one makes its tables after it has connected
 * and is killed. Neither they nor the monitor declare tables or versions: nearly all reads are
 * decided at every level, and nothing becomes an alarm.
 */
final class NothingDeclaredIT {
  private static final String HISTORY = "undeclared";
  private static final int RATE = 300;

  @TempDir private Path folder;

  @Test
  void whoWroteARowIsKnownWithoutDeclarations() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        EmbeddedKafka broker = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(broker), anomaly -> {})) {
      LiveHistory history = new LiveHistory(monitor, HISTORY);
      String url = LiveHistory.url(database, broker.bootstrapServers(), HISTORY, "");
      try (WorkloadProcess first =
          new WorkloadProcess(url, "serializable", RATE, folder.resolve("first.log"))) {
        history.await("the first transactions", () -> history.checked() > 2 * RATE);
        first.kill();
      }
      try (WorkloadProcess second =
          new WorkloadProcess(url, "serializable", RATE, folder.resolve("second.log"))) {
        history.await("the dead proxy to be noticed", () -> history.report().silentProxies() == 1);
        long reads = history.report().reads();
        long decided = history.report().readsDecided();
        history.await("more transactions", () -> history.report().reads() > reads + 10 * RATE);
        CheckerReport now = history.report();
        double share = (double) (now.readsDecided() - decided) / (now.reads() - reads);
        assertThat(share).as("decided of the reads after the kill").isGreaterThan(0.98);
        assertThat(second.errors()).isZero();
        second.stop();
      }
      history.await("the goodbye", () -> history.report().liveProxies() == 0);
      history.await("nothing to wait", () -> history.report().pendingTransactions() == 0);
      System.out.printf(
          "nothing declared: %d transactions, coverage %.3f, undecided %s%n",
          history.checked(), history.report().coverage(), history.report().undecided());
      history.assertNoAlarm();
      assertThat(history.report().coverage()).isGreaterThan(0.95);
    }
  }

  private static MonitorConfig config(EmbeddedKafka broker) throws Exception {
    return MonitorConfig.of(
        Map.of(
            "kafka.bootstrap",
            broker.bootstrapServers(),
            "http.port",
            "0",
            "histories." + HISTORY + ".proxy.silent-after-ms",
            "3000"));
  }
}
