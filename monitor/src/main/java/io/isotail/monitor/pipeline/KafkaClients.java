package io.isotail.monitor.pipeline;

import io.isotail.monitor.config.MonitorConfig;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes the Kafka clients; the operator's {@code kafka.properties} come last and win. */
final class KafkaClients {
  private static final int REQUEST_TIMEOUT_MS = 5_000;

  private final MonitorConfig.Kafka config;

  KafkaClients(MonitorConfig.Kafka config) {
    this.config = config;
  }

  Admin admin() {
    Map<String, Object> properties = common();
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.putAll(config.properties());
    return Admin.create(properties);
  }

  /** A consumer without a group: it is told its partitions and commits nothing. */
  Consumer<byte[], byte[]> consumer() {
    Map<String, Object> properties = common();
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
    properties.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.putAll(config.properties());
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** A producer that tries for ever, so that what it accepted is written once and in order. */
  Producer<byte[], byte[]> producer() {
    Map<String, Object> properties = common();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 1_000);
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
