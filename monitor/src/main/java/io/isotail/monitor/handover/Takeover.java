package io.isotail.monitor.handover;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.UnusableException;
import io.isotail.monitor.partition.AssignedPartitions;
import io.isotail.monitor.partition.Checkpoints;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.publish.CheckpointMetadata;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one partition over from the instance that had it: finds the task or loads its saved state,
 * and compares it with what the log still holds. Owned by the pipeline's thread.
 */
final class Takeover {
  private static final Logger log = LoggerFactory.getLogger(Takeover.class);

  private final MonitorConfig.Kafka config;
  private final AssignedPartitions assigned;
  private final Commits commits;
  private final Checkpoints checkpoints;

  /** Where the partition's log begins and ends. */
  record Extent(long begin, long end) {}

  Takeover(
      MonitorConfig.Kafka config,
      AssignedPartitions assigned,
      Commits commits,
      Checkpoints checkpoints) {
    this.config = config;
    this.assigned = assigned;
    this.commits = commits;
    this.checkpoints = checkpoints;
  }

  /**
   * A task that stands where the group's committed offset says, and knows what the log has lost.
   *
   * @param found what the group has committed, or null
   * @param known the task that this instance had before, or null; only if the group says what it
   *     has committed it goes on
   * @throws UnusableException if the state cannot be gone on from
   */
  PartitionTask take(
      KafkaSession open,
      TopicPartition partition,
      @Nullable OffsetAndMetadata found,
      @Nullable PartitionTask known,
      Extent extent)
      throws InterruptedException {
    CheckpointMetadata committed = committed(open, partition, found);
    PartitionTask task = known == null ? null : settled(open, known, committed);
    if (task == null) {
      task = fresh(open, partition, found, committed);
      if (known != null) {
        task.readBefore(known);
      }
    }
    assigned.addDeclared(task, open.partitions());
    compare(task, extent.begin(), extent.end());
    return task;
  }

  private CheckpointMetadata committed(
      KafkaSession open, TopicPartition partition, @Nullable OffsetAndMetadata found) {
    CheckpointMetadata committed =
        found == null
            ? CheckpointMetadata.none(open.partitions())
            : CheckpointMetadata.parse(found.metadata())
                .orElseThrow(
                    () ->
                        new UnusableException(
                            "group %s has committed %s for %s, which is not of this version of the program; expected a kafka.group of its own, with which the whole log is checked anew"
                                .formatted(config.group(), found, partition)));
    if (committed.partitions() != open.partitions()) {
      throw new UnusableException(
          ("topic %s has %d partitions, and had %d when the state of %s was saved; expected as many:"
                  + " histories are spread by partition. Go back, or set another kafka.group, which"
                  + " checks the whole log anew")
              .formatted(
                  config.eventsTopic(), open.partitions(), committed.partitions(), partition));
    }
    return committed;
  }

  /** The task that this instance had, or null if another one has gone on. */
  private @Nullable PartitionTask settled(
      KafkaSession open, PartitionTask known, CheckpointMetadata committed)
      throws InterruptedException {
    if (known.attempted(committed)) {
      commits.made(open, known);
    } else {
      known.failed();
    }
    if (known.committed().equals(committed)) {
      return known;
    }
    open.committer().discardOpen();
    return null;
  }

  private PartitionTask fresh(
      KafkaSession open,
      TopicPartition partition,
      @Nullable OffsetAndMetadata found,
      CheckpointMetadata committed)
      throws InterruptedException {
    PartitionTask task =
        assigned.create(partition.partition(), found == null ? 0 : found.offset(), committed);
    if (found != null) {
      task.begin(found.leaderEpoch());
    }
    if (committed.hasState()) {
      load(open, task, committed);
    }
    checkpoints.begin(partition.partition(), System.nanoTime());
    return task;
  }

  /** Tells a task what the log has lost, at its beginning before it was read, or at its end. */
  private void compare(PartitionTask task, long begin, long end) {
    long upTo = Math.max(task.readUpTo(), Math.max(task.position(), task.committed().published()));
    OptionalLong truncatedTo = task.truncatedTo();
    long rest = Math.max(begin, Math.min(truncatedTo.orElse(end), end));
    if (upTo > rest || truncatedTo.isPresent()) {
      log.warn(
          "partition {}: was read up to offset {}, and of that the broker has only what is before {}",
          task.partition(),
          upTo,
          rest);
      task.cutBack(rest);
    }
    if (task.position() < begin) {
      log.warn(
          "partition {}: offsets {} to {} are no longer in the log",
          task.partition(),
          task.position(),
          begin);
      task.noteLoss(begin);
    }
  }

  private void load(KafkaSession open, PartitionTask task, CheckpointMetadata committed)
      throws InterruptedException {
    List<byte[]> records;
    try (var reader = open.reader()) {
      long end = open.stateEnd(task.partition());
      records = open.state().read(reader, task.partition(), end, committed);
    }
    try {
      if (records == null) {
        throw new IOException(
            "offsets %d to %d do not hold it".formatted(committed.first(), committed.last()));
      }
      task.restore(records);
    } catch (IOException e) {
      throw new UnusableException(
          "the state of partition %d on topic %s cannot be read: %s; to check the whole log anew, set another kafka.group"
              .formatted(task.partition(), config.stateTopic(), e.getMessage()));
    }
  }
}
