package io.isotail.monitor.handover;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.partition.TaskState;
import io.isotail.monitor.publish.AnomalyRecord;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.Finding;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.publish.StateTopic;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>A state is sent by a thread of this, in a transaction of a producer of its own, while checking
 * and publishing go on; the commit that ends it is like any other. One state at a time.
 *
 * <p>A commit by an instance that has lost a partition to another one is refused by the broker.
 */
final class Committer implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final MonitorConfig.Kafka config;
  private final StateTopic state;
  private final Producer<byte[], byte[]> findings;
  private final Producer<byte[], byte[]> states;

  /** Sends states. */
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "isotail-state");
            thread.setDaemon(true);
            return thread;
          });

  private @Nullable StateUpload upload;

  /** Tells this instance's attempts from those of others. */
  private final SecureRandom attempts = new SecureRandom();

  /**
   * Waits for the outcome of transactions that an instance of the same name left open.
   *
   * @param findings for commits without a state; this closes it
   * @param states for those with one; this closes it
   */
  Committer(
      MonitorConfig.Kafka config,
      StateTopic state,
      Producer<byte[], byte[]> findings,
      Producer<byte[], byte[]> states) {
    this.config = config;
    this.state = state;
    this.findings = findings;
    this.states = states;
    try {
      findings.initTransactions();
      states.initTransactions();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The state that is being sent, or is sent and not committed; null if there is none. */
  @Nullable StateUpload upload() {
    return upload;
  }

  /** Saves a task's state and begins to send it; none must be under way. */
  StateUpload begin(PartitionTask task) {
    if (upload != null) {
      throw new IllegalStateException(
          "the state of partition %d is under way".formatted(upload.task().partition()));
    }
    long startNs = System.nanoTime();
    // Before the transaction begins: the broker ends one that takes long.
    TaskState saved = task.save();
    CheckpointMetadata committed = task.committed();
    states.beginTransaction();
    AtomicLong writingNs = new AtomicLong();
    FutureTask<CheckpointMetadata> written =
        new FutureTask<>(
            () -> {
              long beginNs = System.nanoTime();
              CheckpointMetadata next =
                  state.write(states, task.partition(), committed, saved.records());
              writingNs.set(System.nanoTime() - beginNs);
              return next;
            });
    StateUpload begun =
        new StateUpload(task, saved, System.nanoTime() - startNs, writingNs, written);
    upload = begun;
    sender.execute(written);
    return begun;
  }

  /** Gives up the state that is under way, if there is one; waits until nothing of it is sent. */
  void abandon() throws InterruptedException {
    StateUpload begun = upload;
    if (begun != null) {
      upload = null;
      var unused = begun.await();
      states.abortTransaction();
    }
  }

  /**
   * Makes one commit of tasks.
   *
   * @param withState the state that is under way, which is then part of the commit, or null; its
   *     task must be one of them, and it must be sound
   * @return false if the group is giving out partitions anew: then nothing was committed
   * @throws org.apache.kafka.common.KafkaException if it may not have been made; then this must be
   *     closed
   */
  boolean commit(
      Collection<PartitionTask> tasks, @Nullable StateUpload withState, ConsumerGroupMetadata group)
      throws InterruptedException {
    Producer<byte[], byte[]> producer = withState == null ? findings : states;
    if (withState == null) {
      producer.beginTransaction();
    } else {
      upload = null;
    }
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (PartitionTask task : tasks) {
      for (Finding finding : task.unpublished()) {
        var unused = producer.send(AnomalyRecord.of(config.anomaliesTopic(), finding));
      }
      for (News news : task.dueNews(System.nanoTime())) {
        var unused = producer.send(AnomalyRecord.of(config.anomaliesTopic(), news));
      }
      CheckpointMetadata next = task.committed();
      TaskState saved = null;
      if (withState != null && task == withState.task()) {
        next = next.withStateOf(withState.await());
        saved = withState.state();
      }
      next = task.published(next, attempts.nextLong());
      offsets.put(
          new TopicPartition(config.eventsTopic(), task.partition()), task.attempt(next, saved));
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
  void discardOpen() throws InterruptedException {
    abandon();
    discardOpen(findings);
    discardOpen(states);
  }

  private void discardOpen(Producer<byte[], byte[]> producer) {
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
    sender.shutdownNow();
    findings.close(CLOSE);
    states.close(CLOSE);
  }
}
