package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.process.MonitorProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the file says of histories is taken over by a monitor that runs. */
final class ReloadIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String RELOADED = "isotail_config_last_reload_successful";
  @TempDir private Path folder;

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void histories() throws Exception {
    Path file = folder.resolve("monitor.yaml");
    Path said = folder.resolve("monitor.log");
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      write(file, kafka, "shop: {promise: causal, unique-versions: true}");
      try (MonitorProcess monitor = MonitorProcess.small(file, said);
          EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
        URI page = monitor.awaitAddress();
        await(page, "/readyz", "\"ready\":true");
        log.commit(1, "w x 1");
        await(page, "/api/status", "\"promise\":\"causal\"", "\"transactions\":1,");

        write(
            file,
            kafka,
            "shop: {promise: causal, unique-versions: true, labels: {team: payments}}");
        await(page, "/metrics", "isotail_history_info{history=\"shop\",team=\"payments\"} 1");
        assertThat(get(page, "/api/status")).as("goes on").contains("\"transactions\":1,");

        write(
            file,
            kafka,
            "shop: {promise: snapshot-isolation, unique-versions: true}, bank: {promise: causal}");
        await(page, "/api/status", "\"promise\":\"snapshot-isolation\"", "\"history\":\"bank\"");
        log.commit(1, "w y 1");
        log.commit(2, "r y 1", "w y 2");
        log.commit(3, "r y 1", "w y 3");
        await(page, "/api/anomalies", "\"anomaly\":\"lost-update\"");

        write(file, kafka, "shop: {promise: solid}");
        await(page, "/metrics", RELOADED + " 0.0");
        assertThat(get(page, "/api/status")).contains("\"promise\":\"snapshot-isolation\"");
        assertThat(Files.readString(said)).contains("histories.shop.promise=solid");

        write(file, kafka, "shop: {promise: serializable, unique-versions: true}");
        await(page, "/metrics", RELOADED + " 1.0");
        await(page, "/api/status", "\"promise\":\"serializable\"");
      }
    }
  }

  private static void write(Path file, EmbeddedKafka kafka, String histories) throws Exception {
    Files.writeString(
        file,
        """
        kafka: {bootstrap: "%s"}
        http: {port: 0}
        histories: {%s}
        """
            .formatted(kafka.bootstrapServers(), histories));
  }

  private static void await(URI page, String path, String... words) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (true) {
      String body = get(page, path);
      boolean all = true;
      for (String word : words) {
        all &= body.contains(word);
      }
      if (all) {
        return;
      }
      assertThat(System.nanoTime() - deadlineNs).as("%s: %s", path, body).isNegative();
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static String get(URI page, String path) throws Exception {
    return CLIENT
        .send(
            HttpRequest.newBuilder(URI.create(page + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }
}
