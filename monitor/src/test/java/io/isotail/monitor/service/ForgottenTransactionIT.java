package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker has forgotten a transaction of an instance that died, whose name nobody has any more: a
 * real one, killed, whose log of transactions is removed.
 */
final class ForgottenTransactionIT {
  private static final Duration LONG = Duration.ofSeconds(150);

  @TempDir private Path data;

  @Test
  void whatComesAfterItIsCheckedAndPublished() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      MonitorConfig config =
          MonitorConfig.of(
              Map.of(
                  "kafka.bootstrap",
                  broker.bootstrapServers(),
                  "http.port",
                  "0",
                  "defaults.unique-versions",
                  "true"));
      try (MonitorService monitor = MonitorService.start(config);
          EventLog log = new EventLog(broker.bootstrapServers(), "isotail.events", "shop")) {
        log.commit(1, "w x 1");
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      }
      leaveOpen(config.kafka());
      broker.kill();
      forgetTransactions();
      broker.restart();
      try (MonitorService monitor = MonitorService.start(config);
          EventLog log = new EventLog(broker.bootstrapServers(), "isotail.events", "shop")) {
        log.commit(2, "r x 1");
        log.commitAnomaly(100);
        assertThat(monitor.awaitCaughtUp(LONG)).as("it reads on").isTrue();
        assertThat(monitor.reports().get("shop").transactions()).isGreaterThan(2);
        assertThat(monitor.anomalies()).as("read back from the topic").isNotEmpty();
      }
    }
  }

  /** On the group's offsets and on the anomalies topic. */
  private static void leaveOpen(MonitorConfig.Kafka kafka) {
    KafkaClients dead = new KafkaClients(kafka);
    Producer<byte[], byte[]> producer = dead.producer("");
    producer.initTransactions();
    producer.beginTransaction();
    var unused = producer.send(new ProducerRecord<>(kafka.anomaliesTopic(), 0, null, new byte[0]));
    producer.flush();
    producer.sendOffsetsToTransaction(
        Map.of(new TopicPartition(kafka.eventsTopic(), 0), new OffsetAndMetadata(1)),
        dead.outsider());
    // It is never closed in order: that would abort the transaction.
    producer.close(Duration.ZERO);
  }

  private void forgetTransactions() throws IOException {
    List<Path> logs;
    try (Stream<Path> files = Files.list(data)) {
      logs =
          files.filter(f -> f.getFileName().toString().startsWith("__transaction_state-")).toList();
    }
    assertThat(logs).isNotEmpty();
    for (Path log : logs) {
      try (Stream<Path> files = Files.walk(log)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
