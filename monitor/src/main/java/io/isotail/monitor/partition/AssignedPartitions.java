package io.isotail.monitor.partition;

import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.status.HistoryStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that this instance owns. Decodes records of the log, each of which may hold
 * several records of one history, and hands them to its task. A record of the log that makes no
 * sense is counted and skipped, the first of each cause is logged.
 */
public final class AssignedPartitions {
  private static final Logger log = LoggerFactory.getLogger(AssignedPartitions.class);

  /** Of which the histories may be replaced. */
  private MonitorConfig config;

  private final MonitorMetrics metrics;
  private final Predicate<String> known;
  private final BiConsumer<String, Long> onRepeated;
  private final SortedMap<Integer, PartitionTask> owned = new TreeMap<>();
  private final Map<String, Long> badByCause = new HashMap<>();
  private long badRecords;

  /**
   * Owns nothing yet.
   *
   * @param known whether an anomaly was published, as far as is remembered
   * @param onRepeated told of repeated anomalies
   */
  public AssignedPartitions(
      MonitorConfig config,
      MonitorMetrics metrics,
      Predicate<String> known,
      BiConsumer<String, Long> onRepeated) {
    this.config = config;
    this.metrics = metrics;
    this.known = known;
    this.onRepeated = onRepeated;
  }

  /** A task with nothing checked, which is not owned yet. */
  public PartitionTask create(int partition, long position, CheckpointMetadata committed) {
    return new PartitionTask(partition, position, committed, this::settings, known, onRepeated);
  }

  /** A history begins. */
  private HistoryConfig settings(String history) {
    metrics.expect(history, config.history(history).checker().strongest());
    return config.history(history);
  }

  /**
   * From now on histories are declared so. One whose settings have changed begins anew, as one of
   * which records were lost.
   */
  public void reload(MonitorConfig changed, int partitions) {
    config = changed;
    for (PartitionTask task : owned.values()) {
      reload(task);
      addDeclared(task, partitions);
    }
  }

  private void reload(PartitionTask task) {
    for (HistoryWorker worker : task.workers()) {
      worker.reload(settings(worker.history()), task.position());
    }
  }

  /** Those that are owned, by partition. */
  public Collection<PartitionTask> all() {
    return owned.values();
  }

  /** The owned one of a partition, or null. */
  public @Nullable PartitionTask of(int partition) {
    return owned.get(partition);
  }

  /** Owns a task from here on, with its histories as they are declared. */
  public void add(PartitionTask task) {
    reload(task);
    owned.put(task.partition(), task);
  }

  /** Owns the partition no more; its task, or null if it was not owned. */
  public @Nullable PartitionTask remove(int partition) {
    return owned.remove(partition);
  }

  /** Begins the histories that are declared and belong to the task. */
  public void addDeclared(PartitionTask task, int partitions) {
    for (String history : config.histories().keySet()) {
      if (Topics.partitionOf(history, partitions) == task.partition() && holder(history) == null) {
        task.add(history);
      }
    }
  }

  /**
   * Hands a record of the log to the checker of its history, or counts it as bad.
   *
   * @return how many records it held; one that is skipped counts as one
   */
  public int accept(ConsumerRecord<byte[], byte[]> record) {
    PartitionTask task = owned.get(record.partition());
    if (task == null || record.offset() < task.position()) {
      return 1;
    }
    task.next(record.offset(), record.leaderEpoch());
    int records = accept(task, record);
    task.advance(record.offset() + 1, record.leaderEpoch());
    return records;
  }

  private int accept(PartitionTask task, ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    if (key == null || key.length == 0) {
      bad(record, "no key", "the key must be the id of the history");
      return 1;
    }
    if (record.value() == null) {
      bad(record, "no value", "a record without a value says nothing");
      return 1;
    }
    List<StreamRecord> decoded;
    try {
      decoded = EventCodec.decode(record.value());
    } catch (BadRecordException e) {
      bad(record, "undecodable", String.valueOf(e.getMessage()));
      // Whatever it said is lost to the checker, a write or a proxy's hello among others.
      decoded = List.of(new Gap("", 1));
    }
    String history = EventCodec.history(key);
    if (!task.has(history)) {
      PartitionTask holder = holder(history);
      if (holder != null) {
        bad(record, "history on two partitions", "the key must decide the partition");
        holder.noteLoss(history);
        return 1;
      }
      if (count() >= config.maxHistories()) {
        bad(record, "too many histories", "max-histories=" + config.maxHistories());
        task.skipped();
        return 1;
      }
      task.add(history);
    }
    for (StreamRecord one : decoded) {
      task.accept(history, record.offset(), record.timestamp(), one);
    }
    if (!task.replaying()) {
      noteChecked(history, decoded);
    }
    return decoded.size();
  }

  private void noteChecked(String history, List<StreamRecord> checked) {
    long nowMs = System.currentTimeMillis();
    for (StreamRecord record : checked) {
      if (record instanceof TransactionRecord transaction
          && transaction.endNs() != TransactionRecord.NO_TIME) {
        metrics.checked(history, transaction.endNs(), nowMs);
      }
    }
  }

  private @Nullable PartitionTask holder(String history) {
    for (PartitionTask task : owned.values()) {
      if (task.has(history)) {
        return task;
      }
    }
    return null;
  }

  private int count() {
    return owned.values().stream().mapToInt(task -> task.histories().size()).sum();
  }

  /** Records that were skipped. */
  public long badRecords() {
    return badRecords;
  }

  /** The next offset to check of each partition. */
  public Map<Integer, Long> positions() {
    Map<Integer, Long> positions = new HashMap<>();
    owned.forEach((partition, task) -> positions.put(partition, task.position()));
    return positions;
  }

  /** Anomalies that are found and not published. */
  public long unpublished() {
    return owned.values().stream().mapToLong(task -> task.unpublished().size()).sum();
  }

  /** Where each history stands. */
  public SortedMap<String, HistoryStatus> status(long nowNs) {
    SortedMap<String, HistoryStatus> status = new TreeMap<>();
    owned.values().forEach(task -> task.addStatus(nowNs, status));
    return status;
  }

  private void bad(ConsumerRecord<byte[], byte[]> record, String cause, String detail) {
    PartitionTask task = owned.get(record.partition());
    if (task != null && task.replaying()) {
      return;
    }
    badRecords++;
    if (badByCause.merge(cause, 1L, Long::sum) == 1) {
      log.warn(
          "{}-{} offset {}: {} ({}); skipped, and further ones like it are only counted",
          record.topic(),
          record.partition(),
          record.offset(),
          cause,
          detail);
    }
  }
}
