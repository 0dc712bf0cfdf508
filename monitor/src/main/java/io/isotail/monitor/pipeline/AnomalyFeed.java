package io.isotail.monitor.pipeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.StoredAnomaly;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the store with what any instance has published, the latest first as many as it keeps. So
 * every instance shows all anomalies, and none that was not committed.
 */
final class AnomalyFeed implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnomalyFeed.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final AnomalyStore store;
  private final Map<TopicPartition, Long> ends;
  private final Set<String> awaited = new HashSet<>();

  /** Reads on from the latest anomalies, with a consumer of its own. */
  AnomalyFeed(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions, AnomalyStore store) {
    this.consumer = consumer;
    this.store = store;
    consumer.assign(partitions);
    this.ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    for (TopicPartition partition : partitions) {
      // Each commit has a marker of its own.
      long latest = ends.getOrDefault(partition, 0L) - 2L * store.capacity();
      consumer.seek(partition, Math.max(begins.getOrDefault(partition, 0L), latest));
    }
  }

  /** Whether all is read that was there at the beginning. */
  boolean isLoaded() {
    return ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue());
  }

  /** Takes what has come; waits a moment while it is not loaded. */
  void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(isLoaded() ? Duration.ZERO : POLL)) {
      try {
        StoredAnomaly anomaly = StoredAnomaly.of((ObjectNode) JSON.readTree(record.value()));
        awaited.remove(anomaly.id());
        store.add(anomaly);
      } catch (IOException | RuntimeException e) { // whoever wrote it, the others must be read
        log.warn(
            "{}-{} offset {}: not an anomaly ({}); skipped",
            record.topic(),
            record.partition(),
            record.offset(),
            e.getMessage());
      }
    }
  }

  /** An anomaly is published that is to be seen here. */
  void await(String id) {
    awaited.add(id);
  }

  /** Anomalies that are published and not yet in the store. */
  int awaited() {
    return awaited.size();
  }

  @Override
  public void close() {
    try {
      consumer.close(CloseOptions.timeout(POLL));
    } catch (KafkaException e) {
      log.debug("the consumer of anomalies did not close in order", e);
    }
  }
}
