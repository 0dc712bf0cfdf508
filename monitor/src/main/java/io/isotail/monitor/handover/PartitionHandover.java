package io.isotail.monitor.handover;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.UnusableException;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.partition.AssignedPartitions;
import io.isotail.monitor.partition.Checkpoints;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.Finding;
import java.io.IOException;
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
import java.util.function.Consumer;
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
 * where on the state topic that is and up to which offset everything is published. Whoever takes
 * the partition over loads the state, reads on from there, and publishes nothing again. Each commit
 * is one transaction with the anomalies that it publishes.
 *
 * <p>Whether a commit was made whose answer never came shows at the next look at the committed
 * offset: it tells this attempt, the one before, or that another instance has gone on; then what is
 * here is thrown away.
 */
public final class PartitionHandover implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(PartitionHandover.class);

  /** Progress without a finding is committed so often, so that little is counted again. */
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(1);

  /** What an instance that died has left open must time out first. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  /** How long a partition that was lost may still come back; longer than a session's timeout. */
  private static final long PARKED_NS = TimeUnit.SECONDS.toNanos(30);

  private final MonitorConfig.Kafka config;
  private final AssignedPartitions assigned;
  private final MonitorMetrics metrics;
  private final Consumer<Anomaly> onNew;
  private final Map<Integer, PartitionTask> parked = new HashMap<>();
  private final Checkpoints checkpoints;

  private @Nullable KafkaSession session;
  private long parkedNs;

  /** Whether a commit has failed, after which nothing more is committed over the session. */
  private boolean broken;

  private boolean joined;
  private long nextProgressNs = System.nanoTime();

  public PartitionHandover(
      MonitorConfig.Kafka config,
      AssignedPartitions assigned,
      MonitorMetrics metrics,
      Consumer<Anomaly> onNew) {
    this.config = config;
    this.assigned = assigned;
    this.metrics = metrics;
    this.onNew = onNew;
    this.checkpoints = new Checkpoints(config.checkpointMs(), System.nanoTime());
  }

  /** Joins the group over a new session. */
  public void connected(KafkaSession open) {
    session = open;
    joined = false;
    broken = false;
    discardWhatFellBack(open);
    open.join(this);
  }

  /**
   * Where the group does not know of what this instance has committed last, another one has gone
   * on, or the broker has lost it.
   */
  private void discardWhatFellBack(KafkaSession open) {
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
    broken = true;
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
      PartitionTask task = assigned.of(partition.partition());
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

  /** Whether the group has given partitions, if only none. */
  public boolean joined() {
    return joined;
  }

  /** Commits what is due. */
  public void tick(long nowNs) throws InterruptedException {
    if (broken) {
      throw new KafkaException("a commit failed while partitions were handed over");
    }
    KafkaSession open = open();
    for (PartitionTask task : assigned.all()) {
      TopicPartition partition = partition(task.partition());
      if (open.consumer().assignment().contains(partition)) {
        task.advance(open.consumer().position(partition));
      }
    }
    PartitionTask withState = checkpoints.stateDue(assigned.all(), nowNs);
    boolean progress = nowNs - nextProgressNs >= 0;
    List<PartitionTask> due = Checkpoints.due(assigned.all(), withState, progress);
    if (progress) {
      nextProgressNs = nowNs + PROGRESS_NS;
    }
    if (joined && !parked.isEmpty() && nowNs - parkedNs >= PARKED_NS) {
      parked.clear();
    }
    commit(due, withState);
  }

  /**
   * Commits everything, the states too, before this instance leaves the group in order; nothing
   * while the broker is away.
   */
  public void leave() throws InterruptedException {
    if (open().probe().problem(System.nanoTime()) != null) {
      broken = true;
      return;
    }
    commitAll(List.copyOf(assigned.all()));
  }

  /**
   * What was found first, then one state after the other: each that is saved is one less to lose.
   */
  private void commitAll(List<PartitionTask> leaving) throws InterruptedException {
    boolean made = commit(leaving.stream().filter(task -> !task.mustSave()).toList(), null);
    for (PartitionTask task : leaving) {
      if (made && (task.mustSave() || task.position() > task.stateOffset())) {
        made = commit(List.of(task), task);
      }
    }
  }

  /**
   * Makes one commit.
   *
   * @param withState the one whose state is saved, or null
   * @return whether it was made
   */
  private boolean commit(List<PartitionTask> due, @Nullable PartitionTask withState)
      throws InterruptedException {
    if (due.isEmpty()) {
      return true;
    }
    KafkaSession open = open();
    long startNs = System.nanoTime();
    broken = true;
    boolean made = false;
    try {
      made = open.committer().commit(due, withState, open.consumer().groupMetadata());
      broken = false;
    } finally {
      if (withState != null) {
        noteSaving(withState.partition(), made, startNs);
      }
    }
    if (made) {
      List<Finding> published = new ArrayList<>();
      due.forEach(task -> published.addAll(task.succeeded()));
      published(published);
    } else {
      due.forEach(PartitionTask::failed);
    }
    return made;
  }

  private void noteSaving(int partition, boolean made, long startNs) {
    long nowNs = System.nanoTime();
    if (made) {
      metrics.stateSaved((nowNs - startNs) / 1e9);
      checkpoints.saved(partition, nowNs - startNs, nowNs);
    } else {
      checkpoints.failed(nowNs);
    }
  }

  /** What a commit that was made has published. */
  private void published(List<Finding> findings) {
    long nowNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    for (Finding finding : findings) {
      metrics.published(finding.anomaly(), nowNs);
      open().feed().await(finding.anomaly().id());
      try {
        onNew.accept(finding.anomaly());
      } catch (RuntimeException e) { // the listener's fault, not the checker's
        log.error("the listener failed on anomaly {}", finding.anomaly().id(), e);
      }
    }
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
      OffsetAndMetadata found = committed.get(partition);
      PartitionTask task = takeOver(partition, found);
      assigned.addDeclared(task, open().partitions());
      compare(task, begins.getOrDefault(partition, 0L), ends.getOrDefault(partition, 0L));
      assigned.add(task);
      open().consumer().seek(partition, task.next());
      log.info(
          "takes {} over at offset {}{}",
          partition,
          task.position(),
          task.replaying() ? ", published up to " + task.committed().published() : "");
    }
  }

  private PartitionTask takeOver(TopicPartition partition, @Nullable OffsetAndMetadata found)
      throws InterruptedException {
    CheckpointMetadata committed =
        found == null
            ? CheckpointMetadata.none(open().partitions())
            : CheckpointMetadata.parse(found.metadata())
                .orElseThrow(
                    () ->
                        new UnusableException(
                            "group %s has committed %s for %s, which is not of this version of the program; expected a kafka.group of its own, with which the whole log is checked anew"
                                .formatted(config.group(), found, partition)));
    if (committed.partitions() != open().partitions()) {
      throw new UnusableException(
          ("topic %s has %d partitions, and had %d when the state of %s was saved; expected as many:"
                  + " histories are spread by partition. Go back, or set another kafka.group, which"
                  + " checks the whole log anew")
              .formatted(
                  config.eventsTopic(), open().partitions(), committed.partitions(), partition));
    }
    PartitionTask known = parked.remove(partition.partition());
    if (known != null) {
      if (known.attempted(committed)) {
        published(known.succeeded());
      } else {
        known.failed();
      }
      if (known.committed().equals(committed)) {
        return known;
      }
      open().committer().discardOpen();
    }
    PartitionTask task =
        assigned.create(partition.partition(), found == null ? 0 : found.offset(), committed);
    if (found != null) {
      task.begin(found.leaderEpoch());
    }
    if (committed.hasState()) {
      load(task, committed);
    }
    checkpoints.begin(partition.partition(), System.nanoTime());
    return task;
  }

  /** Tells a task what the log has lost, at its beginning before it was read, or at its end. */
  private void compare(PartitionTask task, long begin, long end) {
    long upTo = Math.max(task.position(), task.committed().published());
    long rest = Math.max(begin, Math.min(task.intactTo(), end));
    if (upTo > rest || task.intactTo() != Long.MAX_VALUE) {
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

  private void load(PartitionTask task, CheckpointMetadata committed) throws InterruptedException {
    List<byte[]> records;
    try (var reader = open().reader()) {
      long end = open().stateEnd(task.partition());
      records = open().state().read(reader, task.partition(), end, committed);
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

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    if (broken) {
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
      commitAll(leaving);
    } catch (KafkaException e) {
      log.warn(
          "the state of {} is not saved: {}; the next owner reads more", partitions, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (PartitionTask task : leaving) {
      if (broken) {
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
