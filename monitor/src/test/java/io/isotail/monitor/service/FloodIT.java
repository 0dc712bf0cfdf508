package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.store.StoredCause;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that breaks its promise all the time: counts stay exact, everything else bounded. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class FloodIT {
  private static final int ANOMALIES = Integer.getInteger("isotail.flood.anomalies", 2_000);
  private static final int RETAINED = 500;
  private static final long MOST_KEPT_BYTES = 32 << 20;
  private static final Duration LONG = Duration.ofSeconds(200);

  private static MonitorService monitor(EmbeddedKafka kafka, int provenPerInterval) {
    return MonitorService.start(
        MonitorConfig.of(
            Map.of(
                "kafka.bootstrap",
                kafka.bootstrapServers(),
                "http.port",
                "0",
                "anomalies.retained",
                Integer.toString(RETAINED),
                "histories.shop.window.transactions",
                "1000",
                "histories.shop.witnesses.proven-per-interval",
                Integer.toString(provenPerInterval),
                "histories.shop.unique-versions",
                "true")));
  }

  @Test
  void ofAFloodAFewAreProvenAndAllAreCountedForTheirCause() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor = monitor(kafka, 3);
        EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
      for (int i = 0; i < RETAINED; i++) {
        log.commitAnomaly(2 * i + 1);
      }
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      await(() -> monitor.causes().stream().anyMatch(cause -> cause.violations() == RETAINED));
      assertThat(monitor.causes()).hasSize(1);
      StoredCause cause = monitor.causes().get(0);
      assertThat(monitor.anomalies()).hasSize(3);
      String series = "isotail_incident_violations_total{history=\"shop\",slot=\"1\"} ";
      await(() -> get(monitor, "/metrics").contains(series + RETAINED + ".0"));
      assertThat(get(monitor, "/metrics"))
          .contains("isotail_incident_info{")
          .contains(
              "title=\"An effect was seen without its cause in register of shop: the database breaks its own repeatable read\"");
      assertThat(get(monitor, "/api/incidents?history=shop"))
          .contains("\"matching\":1", cause.text("incident"), "\"violations\":" + RETAINED)
          .doesNotContain(cause.id());
      assertThat(get(monitor, "/api/incidents?history=other")).contains("\"matching\":0");
      assertThat(get(monitor, "/api/incidents/" + cause.text("incident")))
          .contains("\"title\":\"An effect was seen without its cause on register by shop\"");
      assertThat(get(monitor, "/api/incidents/unknown")).contains("incident unknown is not known");
      assertThat(get(monitor, "/api/causes?history=shop&statement=from%20register"))
          .contains("\"matching\":1", cause.id(), "\"violations\":" + RETAINED);
      assertThat(get(monitor, "/api/causes?history=other")).contains("\"matching\":0");
      assertThat(get(monitor, "/api/causes/" + cause.id())).contains("\"advice\":[{");
      assertThat(get(monitor, "/api/causes/unknown")).contains("cause unknown is not known");
      assertThat(get(monitor, "/api/status")).contains("\"causality-violation\":" + RETAINED);
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long deadlineNs = System.nanoTime() + LONG.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  @Test
  void aFloodIsCountedExactlyAndShownInPart() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor = monitor(kafka, ANOMALIES);
        EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      int quiet = lines(get(monitor, "/metrics"));
      long before = liveBytes();
      long beginNs = System.nanoTime();
      for (int i = 0; i < ANOMALIES; i++) {
        log.commitAnomaly(2 * i + 1);
      }
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      double seconds = (System.nanoTime() - beginNs) / 1e9;

      assertThat(monitor.anomalies()).hasSize(RETAINED);
      String metrics = get(monitor, "/metrics");
      assertThat(metrics)
          .containsPattern(
              "isotail_anomalies_total\\{[^}]*history=\"shop\"[^}]*} " + ANOMALIES + "\\.0");
      assertThat(metrics)
          .containsPattern("isotail_detection_seconds_count\\{history=\"shop\"} " + ANOMALIES);
      long witnesses =
          Pattern.compile("(?m)^isotail_witness_info\\{").matcher(metrics).results().count();
      assertThat(witnesses).as("one for each level and kind").isEqualTo(1);
      assertThat(lines(metrics)).as("series of a flood").isLessThan(quiet + 10);
      assertThat(get(monitor, "/api/anomalies?limit=100").length()).isLessThan(200_000);
      long grown = liveBytes() - before;
      assertThat(grown).as("bytes kept of a flood").isLessThan(MOST_KEPT_BYTES);
      System.out.printf(
          "flood: %d anomalies in %.1f s, %d lines of metrics (%d before), live heap grown by %d kB%n",
          ANOMALIES, seconds, lines(metrics), quiet, grown / 1024);
    }
  }

  /** Of the broker too, which runs in this process. */
  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static int lines(String metrics) {
    return (int) metrics.lines().filter(line -> line.startsWith("isotail_")).count();
  }

  private static String get(MonitorService monitor, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(monitor.address() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
