package io.isotail.ingest.sandbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads what stands in partition 0 of a topic when it is called, in order. */
public final class TopicReader {
  private static final Duration POLL = Duration.ofMillis(100);

  private TopicReader() {}

  /**
   * Takes a message.
   *
   * @param <E> what it may throw
   */
  public interface Taker<E extends Exception> {
    /** Takes the next one. */
    void take(ConsumerRecord<byte[], byte[]> message) throws E;
  }

  /** All messages. */
  public static List<ConsumerRecord<byte[], byte[]>> all(String servers, String topic) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    each(servers, topic, all::add);
    return all;
  }

  /** Hands over each message. */
  public static <E extends Exception> void each(String servers, String topic, Taker<E> taker)
      throws E {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end =
          Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition), topic);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          taker.take(message);
        }
      }
    }
  }
}
