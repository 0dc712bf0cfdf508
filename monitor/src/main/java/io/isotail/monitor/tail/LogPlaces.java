package io.isotail.monitor.tail;

import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the place up to which a history's log has been told, as the committed offset of a consumer
 * group that nobody is a member of: Kafka forgets it after {@code offsets.retention.minutes}.
 */
public final class LogPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(LogPlaces.class);
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long ANSWER_SECONDS = 10;

  private final Admin admin;
  private final String group;
  private long savedNs = System.nanoTime() - PAUSE_NS;
  private @Nullable LogPlace saved;
  private boolean warned;

  /**
   * That of a history.
   *
   * @param group of its own
   */
  public LogPlaces(Admin admin, String group) {
    this.admin = admin;
    this.group = group;
  }

  /** The last one; null if none is known. */
  @Nullable LogPlace load() throws InterruptedException {
    try {
      Map<TopicPartition, OffsetAndMetadata> offsets =
          admin
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get(ANSWER_SECONDS, TimeUnit.SECONDS);
      saved =
          offsets.values().stream()
              .map(each -> each == null ? null : LogPlace.parse(each.metadata()))
              .filter(Objects::nonNull)
              .max(Comparator.comparingLong(LogPlace::sequence))
              .orElse(null);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      warn(e);
    }
    return saved;
  }

  /**
   * Keeps a place, unless another one was kept a moment ago.
   *
   * @param last whether there is none after it
   * @param at of the mark behind it
   */
  void save(LogPlace place, boolean last, RecordMetadata at) throws InterruptedException {
    long nowNs = System.nanoTime();
    if (place.equals(saved) || (!last && nowNs - savedNs < PAUSE_NS)) {
      return;
    }
    savedNs = nowNs;
    saved = place;
    TopicPartition partition = new TopicPartition(at.topic(), at.partition());
    try {
      admin
          .alterConsumerGroupOffsets(
              group, Map.of(partition, new OffsetAndMetadata(at.offset() + 1, place.text())))
          .all()
          .get(ANSWER_SECONDS, TimeUnit.SECONDS);
      warned = false;
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      warn(e);
    }
  }

  private void warn(Exception why) {
    if (!warned) {
      LOG.warn(
          "the place in the log cannot be kept in Kafka's group {}: {}; the log begins anew after a"
              + " restart",
          group,
          why.getMessage());
    }
    warned = true;
  }
}
