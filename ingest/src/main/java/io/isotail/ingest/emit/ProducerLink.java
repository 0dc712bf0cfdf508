package io.isotail.ingest.emit;

import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.event.TransactionBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's producer, and what becomes of the records handed to it. Owned by the sender's thread;
 * only the counters may be read by others.
 *
 * <p>The producer is idempotent: its retries neither reorder nor duplicate. After it gave up on a
 * batch it goes on with a new epoch, so that the broker refuses a late copy of that batch once
 * anything newer was appended; the gap record that follows every failure is that newer thing. A
 * producer that refuses to go on is replaced by a new one.
 */
final class ProducerLink {
  private static final Logger LOG = LoggerFactory.getLogger(ProducerLink.class);

  /**
   * How long the producer keeps a record for a broker that does not answer, in ms: an outage of a
   * minute costs nothing but what the queue cannot hold.
   */
  private static final int DELIVERY_TIMEOUT_MS = 120_000;

  /** How long a record waits for others that go into one record of the log, in ns. */
  private static final long BATCH_NS = 100_000_000;

  /**
   * How long the producer waits for more then, in ms: for longer than from one heartbeat to the
   * next, unless those are few. A heartbeat sends whatever waits, so that the producer's thread has
   * one request to make for each. It goes out itself with the next one, or after this time.
   */
  private static final int LINGER_MS = 150;

  private static final int BATCH_BYTES = 131_072;
  private static final long BUFFER_BYTES = 16L << 20;

  /** One is filled while others are under way. */
  private static final int BATCHES_AT_ONCE = 4;

  /**
   * Only a single transaction may be too large for the producer, never several for the sake of one.
   */
  private static final int PARTS_OF_LARGEST = 4;

  private static final long WARNING_PAUSE_NS = 10_000_000_000L;

  private final String topic;
  private final byte[] key;
  private final Map<String, Object> properties;
  private final Ledger ledger;

  /** Records of transactions that the producer does not have yet. */
  private final TransactionBatch batch;

  private long batchSinceNs;

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong errors = new AtomicLong();
  private volatile long acknowledgedNs = System.nanoTime();
  private @Nullable KafkaProducer<byte[], byte[]> producer;
  private boolean broken;
  private long lastWarningNs = System.nanoTime() - WARNING_PAUSE_NS;

  ProducerLink(EmitterConfig config, Ledger ledger) {
    this.topic = config.topic();
    this.key = EventCodec.key(config.history());
    this.properties = properties(config);
    this.ledger = ledger;
    // Says at once what makes no sense; whether the brokers' names resolve shows only when opening.
    ProducerConfig parsed = new ProducerConfig(properties);
    fitBatches(parsed);
    fitLinger(parsed);
    long largest =
        Math.min(
            parsed.getInt(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
            parsed.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG));
    this.batch = new TransactionBatch((int) (largest / PARTS_OF_LARGEST));
  }

  /** Transaction records that the broker acknowledged. */
  long acknowledged() {
    return acknowledged.get();
  }

  /** Kafka records of any kind that were given up. */
  long errors() {
    return errors.get();
  }

  /** When the broker acknowledged something last, or this began. */
  long acknowledgedNs() {
    return acknowledgedNs;
  }

  /**
   * Takes a transaction's record; its failure goes to the ledger as a loss. Kafka gets it with
   * others, when {@link #sendDueBatch} finds it due or before, and before any record that is sent
   * after it.
   */
  void send(TransactionRecord record) {
    while (!batch.offer(record)) {
      try {
        sendBatch();
      } catch (InterruptException e) {
        ledger.fail(1); // it is in no batch
        throw e;
      }
    }
    if (batch.size() == 1) {
      batchSinceNs = System.nanoTime();
    }
  }

  /**
   * Hands over the records that were taken if the first of them has waited for long enough.
   *
   * @return in how many ns they are due; {@link Long#MAX_VALUE} if there are none
   */
  long sendDueBatch(long nowNs) {
    if (batch.size() == 0) {
      return Long.MAX_VALUE;
    }
    long dueNs = BATCH_NS - (nowNs - batchSinceNs);
    if (dueNs > 0) {
      return dueNs;
    }
    sendBatch();
    return Long.MAX_VALUE;
  }

  private void sendBatch() {
    int records = batch.size();
    if (records > 0) {
      hand(batch.take(), () -> acknowledged.addAndGet(records), () -> ledger.fail(records));
    }
  }

  /** Hands over a record of the emitter's own; its failure goes to the ledger. */
  void sendOwn(StreamRecord record, Runnable onAcknowledged) {
    sendBatch();
    hand(EventCodec.encode(record), onAcknowledged, ledger::failOwn);
  }

  /** Hands over a record and waits; false if it was given up. */
  boolean sendAndAwait(StreamRecord record) throws InterruptedException {
    sendBatch();
    try {
      KafkaProducer<byte[], byte[]> open = usable();
      Future<RecordMetadata> future = open.send(message(EventCodec.encode(record)));
      open.flush();
      future.get();
      acknowledgedNs = System.nanoTime();
      return true;
    } catch (ExecutionException e) {
      failed(e.getCause() == null ? e : e.getCause());
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      failed(e);
    }
    return false;
  }

  /** Waits until every record handed over was acknowledged or given up. */
  void awaitAll() {
    sendBatch();
    if (producer != null) {
      producer.flush();
    }
  }

  /** Gives up whatever is not acknowledged, for good. */
  void close() {
    if (batch.size() > 0) {
      ledger.fail(batch.size());
    }
    abandon();
  }

  private void abandon() {
    KafkaProducer<byte[], byte[]> closing = producer;
    if (closing == null) {
      return;
    }
    // The producer's close waits for its thread, and would throw instead if this one is
    // interrupted.
    boolean interrupted = Thread.interrupted();
    producer = null;
    closing.close(Duration.ZERO);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void hand(byte[] value, Runnable onAcknowledged, Runnable onFailure) {
    try {
      Future<RecordMetadata> unused =
          usable()
              .send(
                  message(value),
                  (metadata, exception) -> {
                    if (exception == null) {
                      acknowledgedNs = System.nanoTime();
                      onAcknowledged.run();
                    } else {
                      errors.incrementAndGet();
                      onFailure.run();
                    }
                  });
    } catch (InterruptException e) {
      onFailure.run();
      throw e;
    } catch (KafkaException | IllegalStateException e) {
      onFailure.run();
      failed(e);
    }
  }

  private ProducerRecord<byte[], byte[]> message(byte[] value) {
    return new ProducerRecord<>(topic, key, value);
  }

  private void failed(Throwable cause) {
    errors.incrementAndGet();
    broken |= !(cause instanceof RetriableException);
    long nowNs = System.nanoTime();
    if (nowNs - lastWarningNs >= WARNING_PAUSE_NS) {
      lastWarningNs = nowNs;
      LOG.warn("a record for topic {} was given up: {}", topic, cause.toString());
    }
  }

  private KafkaProducer<byte[], byte[]> usable() {
    if (broken) {
      abandon();
      broken = false;
    }
    if (producer == null) {
      producer = new KafkaProducer<>(properties);
    }
    return producer;
  }

  /**
   * Keeps a batch within the memory for all of them: the producer takes the memory of a whole batch
   * for its first record, and refuses every record if there is not so much.
   */
  private void fitBatches(ProducerConfig parsed) {
    int batch = parsed.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
    long memory = parsed.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG);
    if (batch > memory / BATCHES_AT_ONCE) {
      properties.put(ProducerConfig.BATCH_SIZE_CONFIG, (int) (memory / BATCHES_AT_ONCE));
    }
  }

  /** Keeps the wait for more within the time of a record, as the producer demands. */
  private void fitLinger(ProducerConfig parsed) {
    long spareMs =
        (long) parsed.getInt(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)
            - parsed.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
    if (parsed.getLong(ProducerConfig.LINGER_MS_CONFIG) > spareMs) {
      properties.put(ProducerConfig.LINGER_MS_CONFIG, Math.max(0, spareMs));
    }
  }

  private static Map<String, Object> properties(EmitterConfig config) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "isotail-" + config.service());
    // Few large requests: each costs the application's processors as much as many records do.
    properties.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
    properties.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    properties.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    // Compression by any of Kafka's faster codecs needs a native library, which a relocated jar
    // cannot hold.
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, DELIVERY_TIMEOUT_MS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    properties.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    properties.put(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 500);
    properties.putAll(config.producerProperties());
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return properties;
  }
}
