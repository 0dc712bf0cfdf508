package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.render.AnomalyDocument;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link to a witness opens for as long as the anomalies topic keeps it, whatever comes after. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class DurableWitnessIT {
  private static final int ANOMALIES = 30_000;
  private static final int CAUSES = 50;
  private static final int HISTORIES = 3;
  private static final int KEPT = 1_000;

  /** One cause is almost all there is; of each other one there is an anomaly now and then. */
  private static final int EACH_RARE = 400;

  private static final int EVERY = 197;
  private static final Duration LONG = Duration.ofSeconds(60);

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  private static int cause(int number) {
    return number % EACH_RARE == 0 ? 1 + number / EACH_RARE % (CAUSES - 1) : 0;
  }

  private static String id(int number) {
    return "%016x".formatted(number * 0x9e3779b97f4a7c15L);
  }

  private static byte[] document(int number) {
    String document =
        new String(
            AnomalyDocument.bytes(
                SampleAnomalies.of(
                    id(number),
                    "history-" + cause(number) % HISTORIES,
                    IsolationLevel.CAUSAL,
                    AnomalyKind.CAUSALITY_VIOLATION),
                1_790_000_000_250L,
                0),
            StandardCharsets.UTF_8);
    String changed = document.replace(SampleAnomalies.CAUSE, "%016x".formatted(cause(number)));
    assertThat(changed).contains("\"cause\":\"%016x\"".formatted(cause(number)));
    return changed.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void ofManyThousandsEachOpensUntilTheTopicForgetsIt() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      kafka.createTopic("isotail.anomalies", 1, Map.of());
      publish(kafka);
      MonitorConfig config =
          MonitorConfig.of(
              Map.of(
                  "kafka.bootstrap", kafka.bootstrapServers(),
                  "http.port", "0",
                  "anomalies.retained", Integer.toString(KEPT)));
      try (MonitorService monitor = MonitorService.start(config)) {
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();

        assertThat(monitor.anomalies()).hasSize(KEPT);
        assertThat(monitor.anomalies().stream().map(anomaly -> anomaly.cause()).distinct())
            .as("no flood drives others out of what was read at the start")
            .hasSizeGreaterThan(HISTORIES);
        for (int number = 0; number < ANOMALIES; number += EVERY) {
          opens(monitor, number);
        }
        for (int number = 0; number < ANOMALIES; number += EACH_RARE * (CAUSES - 1)) {
          opens(monitor, number);
        }
        HttpResponse<String> unknown = get(monitor, "0123456789abcdef");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("0123456789abcdef is not known", "retention.ms");

        forget(kafka, ANOMALIES / 2);
        assertThat(get(monitor, id(1)).statusCode()).isEqualTo(404);
        opens(monitor, ANOMALIES / 2 + 1);
        forget(kafka, ANOMALIES);
        assertThat(get(monitor, id(ANOMALIES - KEPT * HISTORIES)).statusCode())
            .as("of an empty topic")
            .isEqualTo(404);
      }
    }
  }

  private void opens(MonitorService monitor, int number) throws Exception {
    HttpResponse<String> found = get(monitor, id(number));
    assertThat(found.statusCode()).as("anomaly %d", number).isEqualTo(200);
    JsonNode anomaly = json.readTree(found.body());
    assertThat(anomaly.path("id").asText()).isEqualTo(id(number));
    assertThat(anomaly.path("cause").asText()).isEqualTo("%016x".formatted(cause(number)));
  }

  private HttpResponse<String> get(MonitorService monitor, String id) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/api/anomalies/%s".formatted(monitor.port(), id));
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void publish(EmbeddedKafka kafka) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int number = 0; number < ANOMALIES; number++) {
        var unused =
            producer.send(new ProducerRecord<>("isotail.anomalies", 0, null, document(number)));
      }
    }
  }

  private static void forget(EmbeddedKafka kafka, long before) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .deleteRecords(
              Map.of(
                  new TopicPartition("isotail.anomalies", 0), RecordsToDelete.beforeOffset(before)))
          .all()
          .get();
    }
  }
}
