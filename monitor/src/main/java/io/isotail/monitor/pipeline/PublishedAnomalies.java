package io.isotail.monitor.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids that are on the anomalies topic. A checker that reads the log again finds the same
 * anomalies with the same ids; those that are known here are neither published nor counted twice.
 */
final class PublishedAnomalies {
  private static final Logger log = LoggerFactory.getLogger(PublishedAnomalies.class);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Set<String> ids;

  /** Remembers the latest {@code capacity} ids. */
  PublishedAnomalies(int capacity) {
    this.ids =
        Collections.newSetFromMap(
            new LinkedHashMap<>() {
              private static final long serialVersionUID = 1L;

              @Override
              protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > capacity;
              }
            });
  }

  /** Told of each anomaly that an earlier run has published. */
  interface Visitor {
    /** Names as in the anomaly's JSON. */
    void known(String history, String level, String kind);
  }

  /**
   * Reads the topic up to its present end.
   *
   * @return whether it got there; not when {@code goOn} says no in the middle
   */
  boolean load(
      Consumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      Visitor visitor,
      BooleanSupplier goOn) {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    ObjectMapper json = new ObjectMapper();
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      if (!goOn.getAsBoolean()) {
        return false;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        try {
          JsonNode anomaly = json.readTree(record.value());
          if (add(anomaly.path("id").asText())) {
            visitor.known(
                anomaly.path("history").asText(),
                anomaly.path("level").asText(),
                anomaly.path("anomaly").asText());
          }
        } catch (IOException | IllegalArgumentException e) {
          log.warn(
              "{}-{} offset {}: not an anomaly; skipped",
              record.topic(),
              record.partition(),
              record.offset());
        }
      }
    }
    return true;
  }

  /** Remembers the id. Returns whether it was new. */
  boolean add(String id) {
    return ids.add(id);
  }

  int size() {
    return ids.size();
  }
}
