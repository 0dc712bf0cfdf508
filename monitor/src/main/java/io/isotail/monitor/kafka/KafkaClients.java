package io.isotail.monitor.kafka;

import io.isotail.monitor.config.MonitorConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the Kafka clients; the operator's {@code kafka.properties} come last and win. */
public final class KafkaClients {
  /**
   * Records of the log that are checked before the group hears of this instance again, each with up
   * to {@link io.isotail.ingest.event.TransactionBatch#MOST_RECORDS} transactions: 512 of these.
   * One may take a tenth of a second where orders must be searched for, and the group waits five
   * minutes.
   */
  private static final int MOST_AT_ONCE = 8;

  private static final int REQUEST_TIMEOUT_MS = 5_000;

  private static final int STREAM_TIMEOUT_MS = 120_000;

  /** Silence after which the group takes an instance's partitions away. */
  private static final int SESSION_TIMEOUT_MS = 10_000;

  /** How long what a dead instance began to commit may hold others up. */
  private static final int TRANSACTION_TIMEOUT_MS = 15_000;

  private final MonitorConfig.Kafka config;

  /** Tells the producers of this process from those of others. */
  private final String name;

  /** Of one process; makes nothing yet. */
  public KafkaClients(MonitorConfig.Kafka config) {
    this.config = config;
    String instance = config.instanceId();
    this.name = instance != null ? instance : UUID.randomUUID().toString();
  }

  /** The consumer group. */
  String group() {
    return config.group();
  }

  /** Where the events are. */
  String eventsTopic() {
    return config.eventsTopic();
  }

  /** The name of this instance: the operator's, or a new one each time. */
  public String name() {
    return name;
  }

  /** A client for topics and offsets; a request that takes longer than five seconds fails. */
  public Admin admin() {
    Map<String, Object> properties = common();
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.putAll(config.properties());
    return Admin.create(properties);
  }

  /** A consumer of the group, which is given its partitions. */
  public Consumer<byte[], byte[]> member() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.group());
    // What the log has lost must be noticed, not skipped.
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MOST_AT_ONCE);
    properties.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
    properties.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, SESSION_TIMEOUT_MS / 4);
    String instance = config.instanceId();
    if (instance != null) {
      properties.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instance);
    }
    return consumer(properties);
  }

  /** How the group knows somebody who is no member of it; asks no broker. */
  public ConsumerGroupMetadata outsider() {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, config.group());
    try (Consumer<byte[], byte[]> consumer = consumer(properties)) {
      return consumer.groupMetadata();
    }
  }

  /** A consumer without a group: it is told its partitions and commits nothing. */
  public Consumer<byte[], byte[]> consumer() {
    return consumer(Map.of());
  }

  private Consumer<byte[], byte[]> consumer(Map<String, Object> more) {
    Map<String, Object> properties = common();
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.putAll(more);
    properties.putAll(config.properties());
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * A producer of transactions; one of the same name that may still be there is shut out.
   *
   * @param purpose tells it from others of this process; empty, or begins with a dash
   */
  public Producer<byte[], byte[]> producer(String purpose) {
    return producerOf(config.group() + "-" + name + purpose);
  }

  /** A producer of transactions under an id, which shuts out who has it. */
  Producer<byte[], byte[]> producerOf(String transactionalId) {
    Map<String, Object> properties = common();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    properties.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MS);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.putAll(config.properties());
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A producer of single records, none of which is written twice. */
  public Producer<byte[], byte[]> writer() {
    Map<String, Object> properties = common();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    // Of the thread that checks.
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
    properties.putAll(config.properties());
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A producer of a stream's records: it waits for a broker as long as those who capture do. */
  public Producer<byte[], byte[]> streamer() {
    Map<String, Object> properties = common();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, STREAM_TIMEOUT_MS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, STREAM_TIMEOUT_MS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    properties.putAll(config.properties());
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A producer of single records that are superseded soon: it never waits for long. */
  public Producer<byte[], byte[]> teller() {
    Map<String, Object> properties = common();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "gzip");
    // Of the thread that checks; what is not sent is sent with the next.
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 50);
    properties.putAll(config.properties());
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private Map<String, Object> common() {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", config.bootstrap());
    properties.put("reconnect.backoff.ms", 50);
    properties.put("reconnect.backoff.max.ms", 1_000);
    return properties;
  }
}
