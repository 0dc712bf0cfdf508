package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.process.WorkloadProcess;
import io.isotail.monitor.service.MonitorService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application whose sessions run at three levels, with blind writes, and psql that overwrites
 * the same rows uncaptured: PostgreSQL is correct, and nothing becomes an alarm.
 *
 * <p>{@code -Disotail.outsiders.seconds=N} goes on for longer.
 */
final class BesidePsqlIT {
  private static final String HISTORY = "psql";
  private static final int SECONDS = Integer.getInteger("isotail.outsiders.seconds", 6);
  private static final int KEYS = 256;
  private static final int RATE = 200;

  @TempDir private Path folder;

  @Test
  void psqlBesideMixedLevelsRaisesNothing() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        EmbeddedKafka broker = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(broker), anomaly -> {})) {
      LiveHistory history = new LiveHistory(monitor, HISTORY);
      try (WorkloadProcess application =
          new WorkloadProcess(
              LiveHistory.url(database, broker.bootstrapServers(), HISTORY, ""),
              "serializable,repeatable-read,read-committed",
              RATE,
              folder.resolve("workload.log"),
              "--workload=general",
              "--operations=3",
              "--keys=" + KEYS)) {
        history.await("the first transactions", () -> history.checked() > 50);
        Process psql = psql(database);
        try {
          long endNs = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
          while (System.nanoTime() - endNs < 0) {
            long checked = history.checked();
            history.await("more transactions", () -> history.checked() > checked);
            history.assertNoAlarm();
            if (!psql.isAlive()) {
              psql = psql(database); // It ends with the first error, as of a deadlock.
            }
          }
          history.await("a read of what psql wrote", () -> history.report().readsForeign() > 0);
        } finally {
          psql.destroy();
          psql.waitFor();
        }
        assertThat(application.errors()).isZero();
        application.stop();
      }
      history.await("the goodbye", () -> history.report().liveProxies() == 0);
      history.await("nothing to wait", () -> history.report().pendingTransactions() == 0);
      System.out.printf(
          "beside psql: %d s, %d transactions, %d updates of psql, %d of %d reads of what it wrote,"
              + " undecided %s%n",
          SECONDS,
          history.checked(),
          said().lines().filter(line -> line.startsWith("UPDATE 1")).count(),
          history.report().readsForeign(),
          history.report().reads(),
          history.report().undecided());
      history.assertNoAlarm();
    }
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("psql.log"));
  }

  /** Overwrites a row some fifty times a second. */
  private Process psql(EmbeddedDatabase database) throws IOException {
    Path script = folder.resolve("psql.sql");
    Files.writeString(
        script,
        """
        UPDATE registers SET v = v WHERE k = (SELECT k FROM registers ORDER BY random() LIMIT 1)
        \\watch 0.02
        """);
    return new ProcessBuilder(
            "psql",
            "--host=127.0.0.1",
            "--port=" + database.port(),
            "--username=postgres",
            "--no-psqlrc",
            "--file=" + script,
            "postgres")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("psql.log").toFile()))
        .start();
  }

  private static MonitorConfig config(EmbeddedKafka broker) throws Exception {
    return MonitorConfig.of(Map.of("kafka.bootstrap", broker.bootstrapServers(), "http.port", "0"));
  }
}
