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
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the place up to which a history's log has been told, as the committed offset of a consumer
 * group that nobody is a member of. Kafka forgets it {@code offsets.retention.minutes} after it was
 * kept last. Used by one thread.
 */
public final class LogPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(LogPlaces.class);
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(2);
  private static final long AGAIN_NS = TimeUnit.HOURS.toNanos(1);
  private static final long ANSWER_SECONDS = 10;
  private static final long LAST_SECONDS = 2;
  private static final int TRIES = 3;

  private final Admin admin;
  private final String group;
  private long sentNs = System.nanoTime() - PAUSE_NS;
  private @Nullable LogPlace sent;
  private KafkaFuture<Void> answer = KafkaFuture.completedFuture(null);
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
    for (int i = 0; i < TRIES; i++) {
      try {
        Map<TopicPartition, OffsetAndMetadata> offsets =
            admin
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(ANSWER_SECONDS, TimeUnit.SECONDS);
        return offsets.values().stream()
            .map(each -> each == null ? null : LogPlace.parse(each.metadata()))
            .filter(Objects::nonNull)
            .max(Comparator.comparingLong(LogPlace::sequence))
            .orElse(null);
      } catch (ExecutionException | TimeoutException | KafkaException e) {
        warn(e);
      }
    }
    return null;
  }

  /**
   * Sends a place to be kept, unless another one of its source was sent a moment ago or is on its
   * way. Does not wait.
   *
   * @param at of the mark behind it
   */
  void save(LogPlace place, RecordMetadata at) {
    if (!answer.isDone()) {
      return;
    }
    if (answer.isCompletedExceptionally()) {
      sent = null; // It is sent again.
    }
    if (System.nanoTime() - sentNs >= pauseNs(place)) {
      send(place, at);
    }
  }

  /** How long after the one before it a place is sent. */
  private long pauseNs(LogPlace place) {
    if (place.equals(sent)) {
      return AGAIN_NS;
    }
    boolean sameSource = sent == null || sent.source().equals(place.source());
    return sameSource ? PAUSE_NS : 0;
  }

  private void send(LogPlace place, RecordMetadata at) {
    sentNs = System.nanoTime();
    sent = place;
    TopicPartition partition = new TopicPartition(at.topic(), at.partition());
    OffsetAndMetadata offset = new OffsetAndMetadata(at.offset() + 1, place.text());
    answer =
        admin
            .alterConsumerGroupOffsets(group, Map.of(partition, offset))
            .all()
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    warn(failure);
                  }
                });
  }

  /** Keeps the last place of all, and waits for that for a moment. */
  void saveLast(LogPlace place, RecordMetadata at) throws InterruptedException {
    awaitAnswer();
    if (!place.equals(sent) || answer.isCompletedExceptionally()) {
      send(place, at);
      awaitAnswer();
    }
  }

  private void awaitAnswer() throws InterruptedException {
    try {
      answer.get(LAST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("a place at the end", e);
    }
  }

  private synchronized void warn(Throwable why) {
    if (!warned) {
      LOG.warn(
          "the place in the log cannot be kept in Kafka's group {}: {}; the log may begin anew after"
              + " a restart",
          group,
          why.getMessage());
    }
    warned = true;
  }
}
