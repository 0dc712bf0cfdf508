package io.isotail.monitor.pipeline;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.render.AnomalyJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes anomalies to their topic, each once and in order. What the producer has no room for waits
 * here; what does not fit here either is counted, and published by a later run, whose replay of the
 * log finds it again.
 *
 * <p>Called by the pipeline's thread only.
 */
final class AnomalyPublisher {
  private static final Logger log = LoggerFactory.getLogger(AnomalyPublisher.class);

  /** Anomalies that wait for the producer. */
  static final int MAX_WAITING_ANOMALIES = 10_000;

  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(2);

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final ArrayDeque<ProducerRecord<byte[], byte[]>> waiting = new ArrayDeque<>();
  private final AtomicLong unacknowledged = new AtomicLong();
  private final Queue<ProducerRecord<byte[], byte[]>> failed = new ConcurrentLinkedQueue<>();
  private long dropped;
  private long nextTryNs;

  AnomalyPublisher(String topic, Producer<byte[], byte[]> producer, long nowNs) {
    this.topic = topic;
    this.producer = producer;
    this.nextTryNs = nowNs;
  }

  void publish(Anomaly anomaly) {
    if (waiting.size() >= MAX_WAITING_ANOMALIES) {
      dropped++;
      return;
    }
    waiting.add(
        new ProducerRecord<>(
            topic,
            anomaly.history().getBytes(StandardCharsets.UTF_8),
            AnomalyJson.full(anomaly, 1).toString().getBytes(StandardCharsets.UTF_8)));
  }

  /** Hands over what waits. May block for a second when the broker is away, every two seconds. */
  void tick(long nowNs) {
    for (ProducerRecord<byte[], byte[]> again = failed.poll();
        again != null;
        again = failed.poll()) {
      unacknowledged.decrementAndGet();
      waiting.add(again);
      nextTryNs = nowNs + RETRY_NS;
    }
    while (!waiting.isEmpty() && nowNs - nextTryNs >= 0) {
      try {
        ProducerRecord<byte[], byte[]> record = waiting.element();
        var unused =
            producer.send(
                record,
                (metadata, error) -> {
                  if (error == null) {
                    unacknowledged.decrementAndGet();
                  } else {
                    log.warn("an anomaly could not be published and is tried again", error);
                    failed.add(record);
                  }
                });
        unacknowledged.incrementAndGet();
        waiting.remove();
      } catch (KafkaException e) {
        log.warn("anomalies cannot be published now, {} wait: {}", waiting.size(), e.toString());
        nextTryNs = nowNs + RETRY_NS;
      }
    }
  }

  /** Anomalies that the broker has not acknowledged. */
  long unpublished() {
    return waiting.size() + unacknowledged.get() + dropped;
  }

  void close(Duration timeout) {
    producer.close(timeout);
  }
}
