package io.isotail.monitor.publish;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots of partitions on a compacted topic that has as many partitions as the events topic.
 *
 * <p>A snapshot is a sequence of records and, last, a manifest that says how many they are. Each
 * partition has two places, written in turn, so that compaction never takes away what the last
 * commit points to.
 */
public final class StateTopic {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String topic;

  /** So that several groups, and events topics, can share the topic. */
  private final String owner;

  /** The group's states of the events topic. */
  public StateTopic(MonitorConfig.Kafka config) {
    this.topic = config.stateTopic();
    this.owner = config.group() + "/" + config.eventsTopic();
  }

  /**
   * Writes a snapshot to the other place, as part of the producer's transaction; takes away what is
   * left of an older one there, and waits until the broker has all.
   *
   * @param committed what the last commit said
   * @return what the next one is to say
   */
  public CheckpointMetadata write(
      Producer<byte[], byte[]> producer,
      int partition,
      CheckpointMetadata committed,
      List<byte[]> records)
      throws InterruptedException {
    int slot = 1 - committed.slot();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (int i = 0; i < Math.max(records.size(), committed.otherRecords()); i++) {
      byte[] value = i < records.size() ? records.get(i) : null;
      sent.add(producer.send(record(partition, slot, Integer.toString(i), value)));
    }
    byte[] manifest = ("records=" + records.size()).getBytes(StandardCharsets.UTF_8);
    sent.add(producer.send(record(partition, slot, "manifest", manifest)));
    producer.flush();
    return new CheckpointMetadata(
        committed.published(),
        committed.epoch(),
        committed.partitions(),
        slot,
        offset(sent.get(0)),
        offset(sent.get(sent.size() - 1)),
        records.size(),
        committed.records(),
        committed.attempt());
  }

  private ProducerRecord<byte[], byte[]> record(
      int partition, int slot, String name, byte @Nullable [] value) {
    byte[] key = key(partition, slot, name).getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(topic, partition, key, value);
  }

  /**
   * Reads the snapshot that a commit points to. What a dead instance began to write before it may
   * have to time out first.
   *
   * @param end where the partition ends, with what is not committed
   * @return its records, or null if the topic does not hold all of it any more
   */
  public @Nullable List<byte[]> read(
      Consumer<byte[], byte[]> consumer, int partition, long end, CheckpointMetadata committed) {
    TopicPartition from = new TopicPartition(topic, partition);
    consumer.assign(List.of(from));
    long begin = consumer.beginningOffsets(List.of(from)).getOrDefault(from, 0L);
    if (begin > committed.last() || end <= committed.last()) {
      return null;
    }
    long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
    consumer.seek(from, Math.max(begin, committed.first()));
    List<byte[]> records = new ArrayList<>();
    while (true) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        String key = new String(record.key(), StandardCharsets.UTF_8);
        if (key.equals(key(partition, committed.slot(), Integer.toString(records.size())))
            && record.value() != null) {
          records.add(record.value());
        }
        if (record.offset() >= committed.last()) {
          return records.size() == committed.records() ? records : null;
        }
      }
      if (consumer.position(from) > committed.last()) {
        return null;
      }
      if (System.nanoTime() - deadlineNs > 0) {
        throw new TimeoutException(
            "%s could not be read up to offset %d within %d s"
                .formatted(from, committed.last(), PATIENCE.toSeconds()));
      }
    }
  }

  private String key(int partition, int slot, String name) {
    return owner + "/" + partition + "/" + slot + "/" + name;
  }

  private static long offset(Future<RecordMetadata> sent) throws InterruptedException {
    try {
      return sent.get().offset();
    } catch (ExecutionException e) {
      throw Topics.asKafkaException(e);
    }
  }
}
