package io.isotail.monitor.service;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A broker has forgotten to write the end of a transaction, of an instance that died, on some of
 * the partitions: a real one, killed, from whose files the last batch is cut off.
 */
final class ForgottenTransactionIT {
  private static final Duration LONG = Duration.ofSeconds(150);

  @TempDir private Path data;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "isotail.anomalies-0",
        "__consumer_offsets-0",
        "isotail.state-0",
        "isotail.anomalies-0 __consumer_offsets-0 isotail.state-0"
      })
  void whatComesAfterItIsCheckedAndPublished(String partitions) throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      MonitorConfig config =
          MonitorConfig.of(
              Map.of(
                  "kafka.bootstrap", broker.bootstrapServers(),
                  "http.port", "0",
                  "defaults.unique-versions", "true"));
      try (MonitorService monitor = MonitorService.start(config);
          EventLog log = new EventLog(broker.bootstrapServers(), "isotail.events", "shop")) {
        log.commit(1, "w x 1");
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      }
      String committed = commit(config.kafka());
      awaitEnds(broker);
      broker.kill();
      for (String partition : partitions.split(" ")) {
        cutLastBatch(data.resolve(partition).resolve("00000000000000000000.log"));
      }
      broker.restart();
      for (int start = 1; start <= 2; start++) {
        try (MonitorService monitor = MonitorService.start(config);
            EventLog log =
                new EventLog(broker.bootstrapServers(), "isotail.events", "shop-" + start)) {
          log.commitAnomaly(1);
          assertThat(monitor.awaitCaughtUp(LONG)).as("it reads on").isTrue();
          assertThat(monitor.anomalies()).as("read back from the topic").hasSize(start);
        }
      }
      assertThat(readCommitted(broker).contains(committed))
          .as("what was committed is there, unless it and its offsets were given up")
          .isEqualTo(!(partitions.contains("offsets") && partitions.contains("anomalies")));
    }
  }

  /** Of an instance whose name nobody has any more; returns what it has published. */
  private static String commit(MonitorConfig.Kafka kafka) throws Exception {
    KafkaClients dead = new KafkaClients(kafka);
    String published = "published";
    byte[] bytes = published.getBytes(StandardCharsets.UTF_8);
    try (Producer<byte[], byte[]> producer = dead.producer("")) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(kafka.anomaliesTopic(), 0, bytes, bytes)).get();
      producer.send(new ProducerRecord<>(kafka.stateTopic(), 0, bytes, bytes)).get();
      producer.sendOffsetsToTransaction(
          Map.of(new TopicPartition(kafka.statusTopic(), 0), new OffsetAndMetadata(1)),
          dead.outsider());
      producer.commitTransaction();
    }
    return published;
  }

  /** The broker answers a commit before its ends are written. */
  private static void awaitEnds(BrokerProcess broker) throws Exception {
    List<TopicPartition> all =
        List.of(
            new TopicPartition("isotail.anomalies", 0),
            new TopicPartition("__consumer_offsets", 0),
            new TopicPartition("isotail.state", 0));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      long deadlineNs = System.nanoTime() + LONG.toNanos();
      while (admin.describeProducers(all).all().get().values().stream()
          .flatMap(each -> each.activeProducers().stream())
          .anyMatch(each -> each.currentTransactionStartOffset().isPresent())) {
        assertThat(System.nanoTime()).isLessThan(deadlineNs);
      }
    }
  }

  private static List<String> readCommitted(BrokerProcess broker) {
    TopicPartition anomalies = new TopicPartition("isotail.anomalies", 0);
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "isolation.level",
                "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(anomalies));
      consumer.seekToBeginning(List.of(anomalies));
      long end = consumer.endOffsets(List.of(anomalies)).get(anomalies);
      while (consumer.position(anomalies) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          values.add(new String(record.value(), StandardCharsets.UTF_8));
        }
      }
    }
    return values;
  }

  /** Which is the end of the transaction. */
  private static void cutLastBatch(Path segment) throws IOException {
    try (FileChannel file = FileChannel.open(segment, READ, WRITE)) {
      ByteBuffer header = ByteBuffer.allocate(12); // its first offset, and its further length
      long last = 0;
      for (long at = 0; at < file.size(); ) {
        header.clear();
        file.read(header, at);
        int length = header.getInt(8);
        if (length <= 0) {
          break;
        }
        last = at;
        at += header.capacity() + length;
      }
      assertThat(last).isPositive();
      file.truncate(last);
    }
  }
}
