package io.isotail.monitor.handover;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.publish.AnomalyRecord;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.Finding;
import io.isotail.monitor.publish.PublishedCause;
import io.isotail.monitor.publish.StateTopic;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what tasks have found and saves their states, each time in one Kafka transaction with
 * the offset from which the log is to be read again: all of it happens, or none.
 *
 * <p>A commit by an instance that has lost a partition to another one is refused by the broker.
 */
public final class Committer implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final MonitorConfig.Kafka config;
  private final StateTopic state;
  private final Producer<byte[], byte[]> producer;

  /** Tells this instance's attempts from those of others. */
  private final SecureRandom attempts = new SecureRandom();

  /** Waits for the outcome of a transaction that an instance of the same name left open. */
  Committer(MonitorConfig.Kafka config, StateTopic state, Producer<byte[], byte[]> producer) {
    this.config = config;
    this.state = state;
    this.producer = producer;
    try {
      producer.initTransactions();
    } catch (RuntimeException e) {
      producer.close(CLOSE);
      throw e;
    }
  }

  /**
   * Makes one commit of tasks.
   *
   * @param withState the one of them whose state is saved too, or null
   * @return false if the group is giving out partitions anew: then nothing was committed
   * @throws org.apache.kafka.common.KafkaException if it may not have been made; then this must be
   *     closed
   */
  boolean commit(
      Collection<PartitionTask> tasks,
      @Nullable PartitionTask withState,
      ConsumerGroupMetadata group)
      throws InterruptedException {
    // Before the transaction begins: the broker ends one that takes long.
    List<byte[]> records = withState == null ? List.of() : withState.save();
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    producer.beginTransaction();
    for (PartitionTask task : tasks) {
      for (Finding finding : task.unpublished()) {
        var unused = producer.send(AnomalyRecord.of(config.anomaliesTopic(), finding));
      }
      for (PublishedCause cause : task.dueCauses(System.nanoTime())) {
        var unused = producer.send(AnomalyRecord.of(config.anomaliesTopic(), cause));
      }
      CheckpointMetadata next = task.committed();
      if (task == withState) {
        next = state.write(producer, task.partition(), next, records);
      }
      next = task.published(next, attempts.nextLong());
      offsets.put(
          new TopicPartition(config.eventsTopic(), task.partition()),
          task.attempt(next, task == withState));
    }
    try {
      producer.sendOffsetsToTransaction(offsets, group);
    } catch (CommitFailedException e) {
      producer.abortTransaction();
      return false;
    }
    producer.commitTransaction();
    return true;
  }

  /**
   * Gives up what transactions of this name have left open on the anomalies topic. A broker that is
   * killed may forget to write the end of one of which it has said that it is committed (seen with
   * Kafka 4.3.1 where it is the only broker): its offsets fall back, and what it published would
   * show with the next one, beside what is found and published again.
   */
  void discardOpen() {
    producer.beginTransaction();
    for (PartitionInfo partition : producer.partitionsFor(config.anomaliesTopic())) {
      var unused =
          producer.send(
              new ProducerRecord<>(
                  config.anomaliesTopic(), partition.partition(), null, new byte[0]));
    }
    producer.flush();
    producer.abortTransaction();
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }
}
