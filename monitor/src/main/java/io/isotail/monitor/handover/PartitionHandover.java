package io.isotail.monitor.handover;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.UnusableException;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.partition.AssignedPartitions;
import io.isotail.monitor.partition.Checkpoints;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.PublishListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes partitions over from the group and hands them back, and commits in between.
 *
 * <p>A partition's committed offset is where its last saved state stands, and its metadata says
 * where on the state topic that is and up to which offset everything is published. The instance
 * that takes the partition over loads the state, reads on from there, and publishes nothing again.
 * Each commit is one transaction with the anomalies that it publishes.
 *
 * <p>Whether a commit was made whose answer never came shows at the next look at the committed
 * offset: it tells this attempt, the one before, or that another instance has gone on; then what is
 * here is thrown away.
 */
public final class PartitionHandover implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(PartitionHandover.class);

  /** What an instance that died has left open must time out first. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  /** How long a partition that was lost may still come back; longer than a session's timeout. */
  private static final long PARKED_NS = TimeUnit.SECONDS.toNanos(30);

  /** How often it is asked for what died with a broker while this instance lived on. */
  private static final long FORGOTTEN_NS = TimeUnit.MINUTES.toNanos(1);

  private final MonitorConfig.Kafka config;
  private final AssignedPartitions assigned;
  private final Commits commits;
  private final Takeover takeover;
  private final Map<Integer, PartitionTask> parked = new HashMap<>();

  private @Nullable KafkaSession session;
  private long parkedNs;
  private long nextForgottenNs = System.nanoTime() + FORGOTTEN_NS;

  private boolean joined;

  public PartitionHandover(
      MonitorConfig.Kafka config,
      AssignedPartitions assigned,
      MonitorMetrics metrics,
      PublishListener listener) {
    this.config = config;
    this.assigned = assigned;
    Checkpoints checkpoints = new Checkpoints(config.checkpointMs(), System.nanoTime());
    this.commits = new Commits(metrics, listener, checkpoints, System.nanoTime());
    this.takeover = new Takeover(config, assigned, commits, checkpoints);
  }

  /** Joins the group over a new session. */
  public void connected(KafkaSession open) throws InterruptedException {
    session = open;
    joined = false;
    commits.begin();
    discardWhatFellBack(open);
    open.join(this);
  }

  /**
   * Where the group does not know of what this instance has committed last, another one has gone
   * on, or the broker has lost it.
   */
  private void discardWhatFellBack(KafkaSession open) throws InterruptedException {
    Set<TopicPartition> partitions = new HashSet<>();
    parked.keySet().forEach(number -> partitions.add(partition(number)));
    Map<TopicPartition, OffsetAndMetadata> committed =
        partitions.isEmpty() ? Map.of() : open.consumer().committed(partitions, PATIENCE);
    for (PartitionTask task : parked.values()) {
      OffsetAndMetadata found = committed.get(partition(task.partition()));
      String text = found == null ? "" : found.metadata();
      if (CheckpointMetadata.parse(text).filter(task::isAsCommitted).isEmpty()) {
        open.committer().discardOpen();
        return;
      }
    }
  }

  /**
   * Something was thrown that ends the session: nothing more is committed over it. Unless Kafka
   * threw it, a checker may have stopped in the middle of a record, and all are given up: they are
   * loaded again as they were saved last.
   */
  public void failed(Throwable e) {
    commits.breakOff();
    if (e instanceof LogTruncationException truncation) {
      noteTruncation(truncation);
    }
    if (!(e instanceof KafkaException)) {
      List.copyOf(assigned.all()).forEach(task -> assigned.remove(task.partition()));
      parked.clear();
    }
  }

  private void noteTruncation(LogTruncationException truncation) {
    for (TopicPartition partition : truncation.partitions()) {
      PartitionTask owned = assigned.of(partition.partition());
      PartitionTask task = owned == null ? parked.get(partition.partition()) : owned;
      if (task != null) {
        OffsetAndMetadata intact = truncation.divergentOffsets().get(partition);
        // Unknown: what is there now is read from the position on.
        task.truncatedTo(intact == null ? task.position() : intact.offset());
      }
    }
  }

  /** The session is gone; what was checked is kept in case the group gives it back. */
  public void disconnected() {
    session = null;
    joined = false;
    for (PartitionTask task : List.copyOf(assigned.all())) {
      park(task.partition());
    }
  }

  /** Anomalies of partitions that were lost, and may come back, that are not published. */
  public long unpublished() {
    return parked.values().stream().mapToLong(task -> task.unpublished().size()).sum();
  }

  /** Partitions that are checked here, or will be when the broker answers again. */
  public int held() {
    Set<Integer> held = new HashSet<>(assigned.positions().keySet());
    if (!joined) {
      held.addAll(parked.keySet());
    }
    return held.size();
  }

  /** Whether the group has given partitions, if only none. */
  public boolean joined() {
    return joined;
  }

  /** Commits what is due. */
  public void tick(long nowNs) throws InterruptedException {
    if (commits.broken()) {
      throw new KafkaException("a commit failed while partitions were handed over");
    }
    KafkaSession open = open();
    for (PartitionTask task : assigned.all()) {
      TopicPartition partition = partition(task.partition());
      if (open.consumer().assignment().contains(partition)) {
        task.advance(open.consumer().position(partition));
      }
    }
    if (joined && !parked.isEmpty() && nowNs - parkedNs >= PARKED_NS) {
      parked.clear();
    }
    commits.due(open, assigned.all(), nowNs);
    if (nowNs - nextForgottenNs >= 0) {
      nextForgottenNs = nowNs + FORGOTTEN_NS;
      open.endForgotten();
    }
  }

  /**
   * Commits everything, the states too, before this instance leaves the group in order; nothing
   * while the broker is away.
   */
  public void leave() throws InterruptedException {
    if (open().probe().problem(System.nanoTime()) != null) {
      commits.breakOff();
      return;
    }
    commits.all(open(), List.copyOf(assigned.all()));
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    try {
      assign(partitions);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    open().probe().partitions(open().consumer().assignment());
    joined = true;
  }

  private void assign(Collection<TopicPartition> partitions) throws InterruptedException {
    if (partitions.isEmpty()) {
      return;
    }
    Map<TopicPartition, OffsetAndMetadata> committed =
        open().consumer().committed(Set.copyOf(partitions), PATIENCE);
    Map<TopicPartition, Long> begins = open().consumer().beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = open().consumer().endOffsets(partitions);
    for (TopicPartition partition : partitions) {
      if (partition.partition() >= open().partitions()) {
        throw new UnusableException(
            "topic %s was given partition %d; expected none beyond the %d of the start: histories are spread by partition"
                .formatted(partition.topic(), partition.partition(), open().partitions()));
      }
      PartitionTask task =
          takeover.take(
              open(),
              partition,
              committed.get(partition),
              parked.get(partition.partition()),
              new Takeover.Extent(
                  begins.getOrDefault(partition, 0L), ends.getOrDefault(partition, 0L)));
      assigned.add(task);
      parked.remove(partition.partition()); // until here an error leaves it to the next session
      open().consumer().seek(partition, task.next());
      log.info(
          "takes {} over at offset {}{}",
          partition,
          task.position(),
          task.replaying() ? ", published up to " + task.committed().published() : "");
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    if (commits.broken()) {
      partitions.forEach(partition -> park(partition.partition()));
      return;
    }
    List<PartitionTask> leaving = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      PartitionTask task = assigned.of(partition.partition());
      if (task != null) {
        leaving.add(task);
      }
    }
    try {
      commits.all(open(), leaving);
    } catch (KafkaException e) {
      log.warn(
          "the state of {} is not saved: {}; the next owner reads more", partitions, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (PartitionTask task : leaving) {
      if (commits.broken()) {
        park(task.partition());
      } else {
        log.info("hands partition {} over at offset {}", task.partition(), task.position());
        assigned.remove(task.partition());
      }
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    log.warn("lost {}: the group did not hear of this instance", partitions);
    joined = false; // until it has joined again, having none is no answer of the group
    partitions.forEach(partition -> park(partition.partition()));
  }

  private void park(int partition) {
    PartitionTask task = assigned.remove(partition);
    if (task != null) {
      parked.put(partition, task);
      parkedNs = System.nanoTime();
    }
  }

  private TopicPartition partition(int number) {
    return new TopicPartition(config.eventsTopic(), number);
  }

  private KafkaSession open() {
    return Objects.requireNonNull(session, "not connected");
  }
}
