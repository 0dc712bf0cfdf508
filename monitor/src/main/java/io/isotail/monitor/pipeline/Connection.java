package io.isotail.monitor.pipeline;

import io.isotail.monitor.config.MonitorConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clients that read the log, from one connect to the next error. */
final class Connection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Connection.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final Admin admin;
  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> eventPartitions;
  private final List<TopicPartition> anomalyPartitions;
  private final BrokerProbe probe;

  /** Finds the topics; fails when the broker does not answer within a few seconds. */
  Connection(KafkaClients clients, MonitorConfig.Kafka config) throws InterruptedException {
    admin = clients.admin();
    try {
      Topics topics = new Topics(config, admin);
      eventPartitions = topics.events();
      anomalyPartitions = topics.anomalies();
      consumer = clients.consumer();
    } catch (RuntimeException | InterruptedException e) {
      admin.close(CLOSE);
      throw e;
    }
    probe = new BrokerProbe(admin, eventPartitions, System.nanoTime());
  }

  Consumer<byte[], byte[]> consumer() {
    return consumer;
  }

  List<TopicPartition> anomalyPartitions() {
    return anomalyPartitions;
  }

  BrokerProbe probe() {
    return probe;
  }

  /** Goes on at these positions, at the beginning of the log for partitions without one. */
  void assign(Map<Integer, Long> positions) {
    consumer.assign(eventPartitions);
    for (TopicPartition partition : eventPartitions) {
      Long position = positions.get(partition.partition());
      if (position == null) {
        consumer.seekToBeginning(List.of(partition));
      } else {
        consumer.seek(partition, position);
      }
    }
    addPositions(positions);
  }

  ConsumerRecords<byte[], byte[]> poll() {
    return consumer.poll(POLL);
  }

  /** Fills in where the consumer stands, so that skipped offsets do not look like lag. */
  void addPositions(Map<Integer, Long> positions) {
    for (TopicPartition partition : eventPartitions) {
      positions.put(partition.partition(), consumer.position(partition));
    }
  }

  /** Makes a poll that is under way, or else the next, throw {@link WakeupException}. */
  void wakeup() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    try {
      consumer.close(CloseOptions.timeout(CLOSE));
    } catch (KafkaException e) {
      log.debug("the consumer did not close in order", e);
    }
    admin.close(CLOSE);
  }
}
