package io.isotail.monitor.fleet;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.status.MonitorStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the other instances where this one stands, and hears the same of them. Only pages depend on
 * it: a topic that may not be used ends the exchange until the next session, never the checking.
 */
public final class InstanceStatusTopic implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(InstanceStatusTopic.class);
  private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final MonitorConfig.Kafka config;
  private final String instance;
  private final InstanceRegistry book;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final AtomicBoolean warned = new AtomicBoolean();
  private @Nullable Consumer<byte[], byte[]> consumer;
  private @Nullable Producer<byte[], byte[]> producer;
  private @Nullable String problem;
  private long nextNs = System.nanoTime();
  private Set<String> told = Set.of();

  /** Begins with what is told from now on. */
  public InstanceStatusTopic(
      KafkaClients clients, MonitorConfig.Kafka config, Topics topics, InstanceRegistry book)
      throws InterruptedException {
    this.config = config;
    this.instance = clients.name();
    this.book = book;
    try {
      List<TopicPartition> partitions = topics.status();
      Consumer<byte[], byte[]> reader = clients.consumer();
      consumer = reader;
      producer = clients.teller();
      reader.assign(partitions);
      reader.seekToEnd(partitions);
    } catch (RetriableException e) { // so is the whole session
      throw e;
    } catch (KafkaException e) {
      failed(e);
    }
  }

  /** Takes what has come, without waiting. */
  public void poll() {
    if (consumer == null || problem != null) {
      return;
    }
    try {
      long nowNs = System.nanoTime();
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ZERO)) {
        book.accept(record.value(), nowNs);
      }
    } catch (RetriableException e) {
      log.debug("the other instances were not heard", e);
    } catch (KafkaException e) {
      failed(e);
    }
  }

  /** Tells where this instance stands if it is due, at once if other histories are checked here. */
  public void tell(MonitorStatus status, long nowNs) {
    Set<String> histories = status.histories().keySet();
    if (underWay.get() || (nowNs - nextNs < 0 && histories.equals(told))) {
      return;
    }
    nextNs = nowNs + INTERVAL_NS;
    told = Set.copyOf(histories);
    send(PeerMessage.report(config.group(), instance, status, Instant.now()));
  }

  /** Tells that this instance stops, so that nobody waits for it. */
  public void farewell() {
    send(PeerMessage.farewell(config.group(), instance, Instant.now()));
  }

  /** Why nothing is known of the others, null when all is well. */
  public @Nullable String problem() {
    return problem;
  }

  private void send(byte[] message) {
    if (producer == null || problem != null) {
      return;
    }
    byte[] key = (config.group() + "/" + instance).getBytes(StandardCharsets.UTF_8);
    underWay.set(true);
    try {
      var unused =
          producer.send(
              new ProducerRecord<>(config.statusTopic(), key, message),
              (written, error) -> {
                underWay.set(false);
                notTold(error);
              });
    } catch (KafkaException e) {
      underWay.set(false);
      failed(e);
    }
  }

  /** On a thread of the producer. What passes by itself is made good by the next report. */
  private void notTold(@Nullable Exception error) {
    if (error == null) {
      return;
    }
    boolean passes = error instanceof RetriableException || error instanceof InterruptException;
    if (passes || warned.getAndSet(true)) {
      log.debug("the other instances were not told: {}", error.toString());
    } else {
      log.warn("the other instances cannot be told where this one stands: {}", error.toString());
    }
  }

  private void failed(KafkaException e) {
    if (e instanceof InterruptException) {
      throw e;
    }
    problem =
        "topic %s cannot be used: %s"
            .formatted(config.statusTopic(), String.valueOf(e.getMessage()));
    log.warn(
        "{}; until it can, and the monitor is restarted, the page shows only what it checks itself",
        problem);
  }

  /** Sends what is under way, for a moment. */
  @Override
  public void close() {
    if (producer != null) {
      producer.close(CLOSE);
    }
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(CLOSE));
    }
  }
}
