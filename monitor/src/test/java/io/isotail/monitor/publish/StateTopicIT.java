package io.isotail.monitor.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Snapshots on a real broker: what a commit points to is read back, whatever else is there. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class StateTopicIT {
  private static EmbeddedKafka kafka;
  private TopicPartition partition;
  private KafkaClients clients;
  private StateTopic state;
  private Producer<byte[], byte[]> producer;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @BeforeEach
  void createTopic(TestInfo test) {
    String topic = test.getTestMethod().orElseThrow().getName();
    // With "delete" only so that a test may delete records.
    kafka.createTopic(topic, 2, Map.of("cleanup.policy", "compact,delete"));
    partition = new TopicPartition(topic, 1);
    MonitorConfig.Kafka config =
        MonitorConfig.of(
                Map.of(
                    "kafka.bootstrap",
                    kafka.bootstrapServers(),
                    "kafka.state-topic",
                    topic,
                    "kafka.group",
                    topic))
            .kafka();
    clients = new KafkaClients(config);
    state = new StateTopic(config);
    producer = clients.producer("");
    producer.initTransactions();
  }

  @AfterEach
  void closeProducer() {
    producer.close(Duration.ZERO);
  }

  @Test
  void eachSnapshotIsReadBackAndLeavesTheOneBeforeWhereItWas() throws Exception {
    CheckpointMetadata first = save(CheckpointMetadata.none(2), "first", 7);
    CheckpointMetadata second = save(first, "second", 3);
    assertThat(read(first)).isEqualTo(texts("first", 7));
    assertThat(read(second)).isEqualTo(texts("second", 3));
    CheckpointMetadata third = save(second, "third", 5);
    assertThat(read(third)).isEqualTo(texts("third", 5));
    assertThat(read(second)).isEqualTo(texts("second", 3));
    assertThat(first.slot()).isEqualTo(third.slot()).isNotEqualTo(second.slot());
  }

  @Test
  void aSmallerSnapshotTakesAwayWhatIsLeftOfALargerOne() throws Exception {
    CheckpointMetadata large = save(CheckpointMetadata.none(2), "large", 9);
    CheckpointMetadata other = save(large, "other", 1);
    CheckpointMetadata small = save(other, "small", 2);
    CheckpointMetadata next = save(small, "next", 4);
    assertThat(read(small)).isEqualTo(texts("small", 2));
    assertThat(read(next)).isEqualTo(texts("next", 4));
    // What compaction leaves, so that states that shrink do not stay on the broker's disk.
    Map<String, String> compacted = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : all()) {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      if (record.value() == null) {
        compacted.remove(key);
      } else {
        compacted.put(key, new String(record.value(), StandardCharsets.UTF_8));
      }
    }
    assertThat(compacted.values())
        .containsExactlyInAnyOrder(
            "small 0", "small 1", "records=2", "next 0", "next 1", "next 2", "next 3", "records=4");
  }

  @Test
  void whatWasNotCommittedIsNoPartOfIt() throws Exception {
    CheckpointMetadata first = save(CheckpointMetadata.none(2), "first", 2);
    producer.beginTransaction();
    CheckpointMetadata given = state.write(producer, 1, first, bytes(texts("given up", 6)));
    producer.abortTransaction();
    CheckpointMetadata second = save(first, "second", 4);
    assertThat(second.slot()).isEqualTo(given.slot());
    assertThat(read(second)).isEqualTo(texts("second", 4));
    assertThat(read(first)).isEqualTo(texts("first", 2));
    assertThat(read(given)).as("given up").isNull();
  }

  @Test
  void oneOfWhichRecordsAreGoneIsNotTakenForAWholeOne() throws Exception {
    CheckpointMetadata saved = save(CheckpointMetadata.none(2), "saved", 5);
    try (Admin admin = clients.admin()) {
      admin
          .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(saved.first() + 2)))
          .all()
          .get();
    }
    assertThat(read(saved)).isNull();
    CheckpointMetadata ahead =
        new CheckpointMetadata(0, -1, 2, 0, saved.first(), saved.last() + 100, 5, 0, 0);
    assertThat(read(ahead)).as("a topic that was made anew").isNull();
  }

  private CheckpointMetadata save(CheckpointMetadata committed, String name, int records)
      throws InterruptedException {
    producer.beginTransaction();
    CheckpointMetadata next = state.write(producer, 1, committed, bytes(texts(name, records)));
    producer.commitTransaction();
    return next;
  }

  private List<String> read(CheckpointMetadata committed) throws Exception {
    long end;
    try (Admin admin = clients.admin()) {
      end =
          admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .partitionResult(partition)
              .get()
              .offset();
    }
    try (Consumer<byte[], byte[]> reader = clients.consumer()) {
      List<byte[]> records = state.read(reader, 1, end, committed);
      return records == null
          ? null
          : records.stream().map(record -> new String(record, StandardCharsets.UTF_8)).toList();
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> all() {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (Consumer<byte[], byte[]> reader = clients.consumer()) {
      reader.assign(List.of(partition));
      reader.seekToBeginning(List.of(partition));
      long end = reader.endOffsets(List.of(partition)).get(partition);
      while (reader.position(partition) < end) {
        reader.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  private static List<String> texts(String name, int records) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      texts.add(name + " " + i);
    }
    return texts;
  }

  private static List<byte[]> bytes(List<String> texts) {
    return texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }
}
