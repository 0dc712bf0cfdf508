package io.isotail.monitor.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.status.HistoryStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One partition of the events topic: the histories on it, how far they are checked, and what is
 * committed of that.
 *
 * <p>State is a function of the log: after a restart the records from the saved state on are
 * checked again. What they complete was published before, as far as the commit says so; until that
 * point is passed the shard replays, and shows nothing.
 */
final class Shard implements HistoryWorker.Findings {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int partition;
  private final Function<String, HistoryConfig> configs;
  private final Predicate<String> known;
  private final BiConsumer<String, Long> onRepeated;
  private final Map<String, HistoryWorker> workers = new TreeMap<>();
  private final List<Finding> unpublished = new ArrayList<>();
  private CheckpointMetadata committed;
  private @Nullable CheckpointMetadata attempted;
  private long position;
  private long attemptedStateOffset;
  private long stateOffset;
  private long current;
  private boolean replaying;

  /** Whether records were lost or skipped that may have been of a history that is not known yet. */
  private boolean lossy;

  /** Whether the log was cut back to where the replay ends. */
  private boolean cut;

  /**
   * Stands at an offset with nothing checked.
   *
   * @param configs the configuration of each history
   * @param known whether an anomaly was published, as far as is remembered: a history that begins
   *     anew may find one again
   * @param onRepeated told of repeated anomalies
   */
  Shard(
      int partition,
      long position,
      CheckpointMetadata committed,
      Function<String, HistoryConfig> configs,
      Predicate<String> known,
      BiConsumer<String, Long> onRepeated) {
    this.partition = partition;
    this.position = position;
    this.stateOffset = position;
    this.committed = committed;
    this.configs = configs;
    this.known = known;
    this.onRepeated = onRepeated;
    this.replaying = position < committed.published();
  }

  int partition() {
    return partition;
  }

  /** The next offset to check. */
  long position() {
    return position;
  }

  /** The offset at which the saved state stands. */
  long stateOffset() {
    return stateOffset;
  }

  /** Whether it checks what was checked before. */
  boolean replaying() {
    return replaying;
  }

  /** What the last commit says. */
  CheckpointMetadata committed() {
    return committed;
  }

  /** What is found and not published, oldest first. */
  List<Finding> unpublished() {
    return unpublished;
  }

  /** Those who check its histories. */
  Collection<HistoryWorker> workers() {
    return workers.values();
  }

  /** The ids of its histories. */
  Collection<String> histories() {
    return workers.keySet();
  }

  boolean has(String history) {
    return workers.containsKey(history);
  }

  /** Begins a history. */
  HistoryWorker add(String history) {
    HistoryWorker worker = workers.get(history);
    if (worker == null) {
      worker = new HistoryWorker(history, configs.apply(history), this);
      workers.put(history, worker);
      if (lossy) {
        worker.noteLoss(position);
      }
    }
    return worker;
  }

  /** Hands a record of a history that it has to the checker. */
  void accept(String history, long offset, long timestampMs, StreamRecord record) {
    current = offset;
    HistoryWorker worker = workers.get(history);
    if (worker != null) {
      worker.accept(offset, timestampMs, record);
    }
  }

  /** Everything before an offset is checked. */
  void advance(long to) {
    position = Math.max(position, to);
    if (replaying && position >= committed.published()) {
      replaying = false;
      workers.values().forEach(HistoryWorker::takenOver);
      noteCut();
    }
  }

  /**
   * The log ends before what was read of it, or published: the broker has lost records. What was
   * read is forgotten; what is still to be read goes before the loss.
   */
  void cutBack(long end) {
    if (position > end) {
      position = end;
      current = end;
      workers.values().forEach(worker -> worker.beginAnew(end));
    }
    stateOffset = Math.min(stateOffset, end);
    committed = committed.withPublished(Math.min(committed.published(), end), committed.attempt());
    cut = true;
    replaying = position < committed.published();
    if (!replaying) {
      noteCut();
    }
  }

  private void noteCut() {
    if (cut) {
      cut = false;
      noteLoss(position);
    }
  }

  /** The log has lost what stood before an offset. */
  void noteLoss(long to) {
    current = to;
    advance(to);
    workers.values().forEach(worker -> worker.noteLoss(to));
    lossy = true;
  }

  /** A record of a history that it has was skipped. */
  void noteLoss(String history) {
    HistoryWorker worker = workers.get(history);
    if (worker != null) {
      worker.noteLoss(position);
    }
  }

  /** Records of a history that it does not have were skipped; should it begin, they are missing. */
  void skipped() {
    lossy = true;
  }

  @Override
  public void found(Finding finding) {
    if (current >= committed.published() && !known.test(finding.anomaly().id())) {
      unpublished.add(finding);
    }
  }

  @Override
  public void repeated(String id, long occurrences) {
    onRepeated.accept(id, occurrences);
  }

  /** The state of all its histories as records: of each the chunks, and what they are of. */
  List<byte[]> save() {
    List<byte[]> records = new ArrayList<>();
    records.add(utf8(JsonNodeFactory.instance.objectNode().put("lossy", lossy)));
    for (HistoryWorker worker : workers.values()) {
      records.addAll(worker.save());
      records.add(
          utf8(
              JsonNodeFactory.instance
                  .objectNode()
                  .put("history", worker.history())
                  .put("records", worker.records())
                  .put("appendTimeMs", worker.appendTimeMs())
                  .put("failure", worker.failure())));
    }
    return records;
  }

  private static byte[] utf8(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Takes back what {@link #save} saved, before any record. */
  void restore(List<byte[]> records) throws IOException {
    Iterator<byte[]> all = records.iterator();
    boolean wasLossy = all.hasNext() && JSON.readTree(all.next()).path("lossy").asBoolean();
    Deque<byte[]> chunks = new ArrayDeque<>();
    while (all.hasNext()) {
      byte[] record = all.next();
      if (record[0] != '{') {
        chunks.add(record);
        continue;
      }
      JsonNode of = JSON.readTree(record);
      HistoryWorker worker = add(of.path("history").asText());
      worker.restore(
          chunks::poll,
          position,
          of.path("records").asLong(),
          of.path("appendTimeMs").asLong(),
          of.path("failure").isTextual() ? of.path("failure").asText() : null);
      chunks.clear();
    }
    lossy = wasLossy;
  }

  /** A commit is about to be made. */
  void attempt(CheckpointMetadata next, long nextStateOffset) {
    attempted = next;
    attemptedStateOffset = nextStateOffset;
  }

  /**
   * The commit was made; nothing was checked since it was attempted.
   *
   * @return what it has published
   */
  List<Finding> succeeded() {
    CheckpointMetadata next = attempted;
    if (next == null) {
      return List.of();
    }
    attempted = null;
    committed = next;
    stateOffset = attemptedStateOffset;
    List<Finding> published = List.copyOf(unpublished);
    unpublished.clear();
    return published;
  }

  /** Whether a commit was attempted of which is not known whether it was made. */
  boolean attempted(CheckpointMetadata found) {
    return found.equals(attempted);
  }

  /** The attempted commit was not made. */
  void failed() {
    attempted = null;
  }

  /** Where each history stands. */
  void addStatus(long nowNs, Map<String, HistoryStatus> to) {
    if (!replaying) {
      workers.forEach((history, worker) -> to.put(history, worker.status(nowNs)));
    }
  }
}
