package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is muted on one instance is muted on all, and after a restart; it is counted all the same.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class DecisionsIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String LOGIN =
      "Basic " + Base64.getEncoder().encodeToString("ops:secret".getBytes(StandardCharsets.UTF_8));
  private static final String COUNTED =
      "isotail_incident_violations_total{history=\"shop\",slot=\"%s\"} %d.0";

  private final HttpClient client = HttpClient.newHttpClient();

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

  private static MonitorConfig config(EmbeddedKafka kafka, String name) {
    return MonitorConfig.of(
        Map.of(
            "kafka.bootstrap", kafka.bootstrapServers(),
            "kafka.instance-id", name,
            "http.port", "0",
            "http.user", "ops",
            "http.password", "secret",
            "defaults.unique-versions", "true"));
  }

  private HttpResponse<String> ask(MonitorService monitor, String method, String path, String body)
      throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(monitor.port(), path));
    return client.send(
        HttpRequest.newBuilder(uri)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .headers(
                "Authorization", LOGIN, "X-Isotail", "decision", "Content-Type", "application/json")
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private boolean counts(MonitorService monitor, String slot, int number) throws Exception {
    return ask(monitor, "GET", "/metrics", "").body().contains(COUNTED.formatted(slot, number));
  }

  private int value(MonitorService monitor, String slot) throws Exception {
    String series = COUNTED.substring(0, COUNTED.indexOf(" %d")).formatted(slot) + " ";
    return ask(monitor, "GET", "/metrics", "")
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(series.length())))
        .findFirst()
        .orElse(-1);
  }

  private void mute(MonitorService monitor, String cause, Instant until) throws Exception {
    HttpResponse<String> answer =
        ask(
            monitor,
            "PUT",
            "/api/causes/" + cause + "/decision",
            "{\"state\":\"muted\",\"until\":\"%s\"}".formatted(until));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void aMutedCauseIsCountedApartOnEveryInstanceUntilItIsTakenBack() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", "shop")) {
      String cause;
      try (MonitorService one = MonitorService.start(config(kafka, "one"));
          MonitorService two = MonitorService.start(config(kafka, "two"))) {
        log.commitAnomaly(1);
        await(() -> two.causes().size() == 1 && one.causes().size() == 1);
        cause = two.causes().get(0).id();
        await(() -> counts(one, "1", 1) && counts(two, "1", 1));

        mute(two, cause, Instant.now().plusSeconds(3_600));
        await(
            () ->
                ask(one, "GET", "/api/causes/" + cause, "").body().contains("\"state\":\"muted\""));
        log.commitAnomaly(11);
        await(() -> counts(one, "muted", 1) && counts(two, "muted", 1));
        assertThat(counts(one, "1", 1)).isTrue();
        assertThat(counts(two, "1", 1)).isTrue();
      }
      // What is no decision is skipped.
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", kafka.bootstrapServers()),
              new ByteArraySerializer(),
              new ByteArraySerializer())) {
        producer
            .send(new ProducerRecord<>("isotail.decisions", new byte[] {1}, new byte[] {2}))
            .get();
      }
      try (MonitorService three = MonitorService.start(config(kafka, "three"))) {
        assertThat(three.awaitCaughtUp(LONG)).isTrue();
        // What others have published lately is counted here too, by what holds now.
        await(() -> value(three, "muted") + value(three, "1") == 2);
        int muted = value(three, "muted");
        int loud = 2 - muted;
        log.commitAnomaly(21);
        await(() -> counts(three, "muted", muted + 1));
        assertThat(counts(three, "1", loud)).isTrue();
        assertThat(ask(three, "DELETE", "/api/causes/" + cause + "/decision", "").statusCode())
            .isEqualTo(204);
        log.commitAnomaly(31);
        await(() -> counts(three, "1", loud + 1));

        Instant soon = Instant.now().plusMillis(1_500);
        mute(three, cause, soon);
        await(() -> Instant.now().isAfter(soon));
        log.commitAnomaly(41);
        await(() -> counts(three, "1", loud + 2));
        assertThat(ask(three, "GET", "/api/causes/" + cause, "").body())
            .contains("\"decision\":null");
      }
    }
  }
}
