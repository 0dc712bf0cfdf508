package io.isotail.monitor.publish;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.store.Decision;
import io.isotail.monitor.store.DecisionStore;
import io.isotail.monitor.store.Decisions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decisions about causes, on a compacted topic that all instances read and write: the key is
 * the cause's id, the value the decision, or nothing if it was taken back.
 *
 * <p>A thread of its own reads it, so that the thread that checks is not concerned. While the topic
 * cannot be read, nothing is muted and nothing can be decided; the log says why, once.
 */
public final class DecisionTopic implements Decisions, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DecisionTopic.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE = Duration.ofSeconds(1);
  private static final long PAUSE_MS = 2_000;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  private final KafkaClients clients;
  private final MonitorConfig.Kafka config;

  /** What holds, as the topic has it; replaced as a whole when the topic was read anew. */
  private volatile DecisionStore store = new DecisionStore();

  /** Who waits until what he has written is read. */
  private final Queue<Written> written = new ConcurrentLinkedQueue<>();

  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean loaded;
  private volatile @Nullable String problem;
  private volatile long begunNs;
  private volatile @Nullable Consumer<byte[], byte[]> reading;
  private @Nullable Producer<byte[], byte[]> producer;

  private record Written(TopicPartition partition, long offset, CompletableFuture<Void> read) {}

  /** Does nothing until begun. */
  @SuppressWarnings("this-escape") // the thread starts later
  public DecisionTopic(KafkaClients clients, MonitorConfig.Kafka config) {
    this.clients = clients;
    this.config = config;
    this.thread = new Thread(this::run, "isotail-decisions");
    thread.setDaemon(true);
  }

  /** Starts the thread, when there is a broker. */
  public void begin() {
    if (thread.getState() == Thread.State.NEW) {
      begunNs = System.nanoTime();
      thread.start();
    }
  }

  /**
   * Whether what was decided before the start is known, so that what is muted does not page; or
   * whether that is not to be waited for any longer.
   */
  public boolean isSettled() {
    return loaded || problem != null || System.nanoTime() - begunNs > PATIENCE_NS;
  }

  @Override
  public Optional<Decision> of(String cause) {
    return store.find(cause, System.currentTimeMillis());
  }

  @Override
  public CompletionStage<Void> decide(Decision decision) {
    byte[] document = decision.json().toString().getBytes(StandardCharsets.UTF_8);
    return write(decision.cause(), document);
  }

  @Override
  public CompletionStage<Void> lift(String cause) {
    return write(cause, null);
  }

  /** Ends when this instance has read it too, so that the order of the topic is that of all. */
  private CompletableFuture<Void> write(String cause, byte @Nullable [] document) {
    CompletableFuture<Void> read = new CompletableFuture<>();
    String reason = problem;
    if (isClosed() || reason != null) {
      read.completeExceptionally(new KafkaException(reason == null ? "it stops" : reason));
      return read;
    }
    byte[] key = cause.getBytes(StandardCharsets.UTF_8);
    try {
      var unused =
          writer()
              .send(
                  new ProducerRecord<>(config.decisionsTopic(), key, document),
                  (at, error) -> {
                    if (error == null) {
                      TopicPartition partition = new TopicPartition(at.topic(), at.partition());
                      written.add(new Written(partition, at.offset(), read));
                    } else {
                      read.completeExceptionally(error);
                    }
                  });
    } catch (KafkaException e) {
      read.completeExceptionally(e);
    }
    return read;
  }

  private synchronized Producer<byte[], byte[]> writer() {
    if (producer == null) {
      producer = clients.writer();
    }
    return producer;
  }

  private void run() {
    try {
      do {
        try {
          work();
        } catch (RuntimeException e) { // whatever it is, it may pass
          failed(e);
        }
      } while (!closed.await(PAUSE_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(RuntimeException e) {
    if (isClosed()) {
      return;
    }
    if (problem == null) {
      log.warn("decisions about causes are not known: {}", e.toString());
    }
    problem = "topic %s: %s".formatted(config.decisionsTopic(), e.getMessage());
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private void work() throws InterruptedException {
    List<TopicPartition> partitions;
    try (Admin admin = clients.admin()) {
      partitions = new Topics(config, admin).decisions();
    }
    try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      reading = consumer;
      DecisionStore filled = new DecisionStore();
      while (!isClosed()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          take(record, filled);
        }
        if (ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue())) {
          store = filled;
          loaded = true;
          problem = null;
        }
        written.removeIf(each -> isRead(each, consumer));
      }
    } finally {
      reading = null;
    }
  }

  private static boolean isRead(Written written, Consumer<byte[], byte[]> consumer) {
    return consumer.position(written.partition) > written.offset && written.read.complete(null);
  }

  private static void take(ConsumerRecord<byte[], byte[]> record, DecisionStore store) {
    if (record.key() == null) {
      return;
    }
    if (record.value() == null) {
      store.remove(new String(record.key(), StandardCharsets.UTF_8));
      return;
    }
    try {
      store.put(Decision.of(record.value()));
    } catch (IllegalArgumentException e) {
      log.warn(
          "{}-{} offset {}: no decision about a cause: {}; skipped",
          record.topic(),
          record.partition(),
          record.offset(),
          e.getMessage());
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Consumer<byte[], byte[]> open = reading;
    if (open != null) {
      open.wakeup();
    }
    synchronized (this) {
      if (producer != null) {
        producer.close(CLOSE);
      }
    }
  }
}
