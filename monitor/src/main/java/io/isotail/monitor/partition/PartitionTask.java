package io.isotail.monitor.partition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.snapshot.StateCut;
import io.isotail.incremental.snapshot.StateSink;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.Finding;
import io.isotail.monitor.publish.News;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition of the events topic: the histories on it, how far they are checked, and what is
 * committed of that.
 *
 * <p>State is a function of the log: after a restart the records from the saved state on are
 * checked again. What they complete was published before, as far as the commit says so; until that
 * point is passed the task replays, and shows nothing.
 */
public final class PartitionTask implements HistoryWorker.Findings {
  private static final Logger log = LoggerFactory.getLogger(PartitionTask.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int partition;
  private final Function<String, HistoryConfig> configs;
  private final Predicate<String> known;
  private final BiConsumer<String, Long> onRepeated;
  private final Map<String, HistoryWorker> workers = new TreeMap<>();
  private final List<Finding> unpublished = new ArrayList<>();

  /** What of the causes is about to be published. */
  private final List<News> publishing = new ArrayList<>();

  private List<News> publishedNews = List.of();
  private final CommitLedger ledger;
  private Phase phase;
  private long position;

  /** The leader's epoch of the record before the position. */
  private Optional<Integer> epoch = Optional.empty();

  /** The offset that is being checked. */
  private long current;

  /** Whether records were lost or skipped that may have been of a history that is not known yet. */
  private boolean lossy;

  /** How often it was told of a loss that is not in the log; a state from before does not know. */
  private long losses;

  /** How far this instance had read before it went back to what is committed; 0 if it did not. */
  private long readUpTo;

  /** The leader's epoch of the record before that. */
  private Optional<Integer> readEpoch = Optional.empty();

  /** Where the broker said that the log was cut back to, if it did. */
  private OptionalLong truncatedTo = OptionalLong.empty();

  /** Whether what is found was published before. */
  private sealed interface Phase {}

  /** It was not: histories show, and what is found is to be published. */
  private record Live() implements Phase {}

  /** It was, up to where the last commit says. */
  private record Replaying() implements Phase {}

  /** It was, and where the replay ends records are missing, as the log was cut back to there. */
  private record ReplayingToLoss() implements Phase {}

  /**
   * Stands at an offset with nothing checked.
   *
   * @param configs the configuration of each history
   * @param known whether an anomaly was published, as far as is remembered: a history that begins
   *     anew may find one again
   * @param onRepeated told of repeated anomalies
   */
  PartitionTask(
      int partition,
      long position,
      CheckpointMetadata committed,
      Function<String, HistoryConfig> configs,
      Predicate<String> known,
      BiConsumer<String, Long> onRepeated) {
    this.partition = partition;
    this.position = position;
    this.ledger = new CommitLedger(committed, position);
    this.configs = configs;
    this.known = known;
    this.onRepeated = onRepeated;
    this.phase = position < committed.published() ? new Replaying() : new Live();
  }

  public int partition() {
    return partition;
  }

  /** The next offset to check. */
  public long position() {
    return position;
  }

  /** The offset at which the saved state stands. */
  public long stateOffset() {
    return ledger.saved().offset();
  }

  /** Whether it checks what was checked before. */
  @Override
  public boolean replaying() {
    return !(phase instanceof Live);
  }

  /** What the last commit says. */
  public CheckpointMetadata committed() {
    return ledger.committed();
  }

  /** What is found and not published, oldest first. */
  public List<Finding> unpublished() {
    return unpublished;
  }

  /**
   * What of the causes is due to be published, to be part of the commit that follows. After a
   * takeover all are announced, so that instances which have begun since learn of them too.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  public List<News> dueNews(long nowNs) {
    publishing.clear();
    if (!replaying()) {
      workers.values().forEach(worker -> publishing.addAll(worker.dueNews(nowNs)));
    }
    return List.copyOf(publishing);
  }

  /** Whether something is to be told of the causes, though nothing more was checked. */
  boolean hasNews() {
    return !replaying() && workers.values().stream().anyMatch(HistoryWorker::hasNews);
  }

  /** What of the causes the last commit has published. */
  public List<News> publishedNews() {
    return publishedNews;
  }

  /** The workers that check its histories. */
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

  /** A record is checked, or skipped. */
  void advance(long to, Optional<Integer> leaderEpoch) {
    advance(to);
    epoch = leaderEpoch;
  }

  /** Everything before an offset is checked. */
  public void advance(long to) {
    if (to > position) {
      position = to;
      epoch = Optional.empty();
    }
    if (replaying() && position >= committed().published()) {
      boolean lost = phase instanceof ReplayingToLoss;
      phase = new Live();
      workers.values().forEach(HistoryWorker::takenOver);
      if (lost) {
        noteLoss(position);
      }
    }
  }

  /**
   * The log ends before what was read of it, or published: the broker has lost records. What was
   * read is forgotten; what is still to be read goes before the loss.
   */
  public void cutBack(long end) {
    losses++;
    truncatedTo = OptionalLong.empty();
    readUpTo = 0;
    epoch = Optional.empty();
    if (position > end) {
      position = end;
      current = end;
      workers.values().forEach(worker -> worker.beginAnew(end));
    }
    ledger.cutBack(end);
    goOnBeforeLoss();
  }

  /** Records are missing where the replay ends, or here if there is none. */
  private void goOnBeforeLoss() {
    if (position < committed().published()) {
      phase = new ReplayingToLoss();
    } else {
      phase = new Live();
      noteLoss(position);
    }
  }

  /** The broker has said that the log was cut back; it is, when the task is read on. */
  public void truncatedTo(long offset) {
    truncatedTo = OptionalLong.of(offset);
  }

  /** Where the broker said that the log was cut back to, if that was not followed yet. */
  public OptionalLong truncatedTo() {
    return truncatedTo;
  }

  /** The saved state stands behind a record of that epoch of the leader's. */
  public void begin(Optional<Integer> leaderEpoch) {
    epoch = leaderEpoch;
    ledger.begin(leaderEpoch);
  }

  /**
   * A record comes next. One that stands where another one was read, of whom the leader's epoch was
   * an earlier one, was written after that one was lost.
   */
  void next(long offset, Optional<Integer> leaderEpoch) {
    if (replaying() && isOfAnother(leaderEpoch, committed().epoch())) {
      advance(offset);
      if (replaying()) {
        warnOfLoss(committed().published(), offset);
        cutBack(offset);
      }
    }
    if (offset < readUpTo && isOfAnother(leaderEpoch, readEpoch.orElse(-1))) {
      warnOfLoss(readUpTo, offset);
      readUpTo = 0;
      ledger.cutBack(offset);
      noteLoss(offset);
    }
  }

  private static boolean isOfAnother(Optional<Integer> epoch, int read) {
    return read >= 0 && epoch.orElse(-1) > read;
  }

  private void warnOfLoss(long upTo, long from) {
    log.warn(
        "partition {}: was read up to offset {}, and of that the broker has lost what was from {} on",
        partition,
        upTo,
        from);
  }

  /**
   * This task begins at what is committed, in place of one that had read farther. What is read
   * again is compared with what that one had read.
   */
  public void readBefore(PartitionTask farther) {
    readUpTo = Math.max(farther.position, farther.readUpTo);
    readEpoch = farther.position >= farther.readUpTo ? farther.epoch : farther.readEpoch;
    truncatedTo = farther.truncatedTo;
  }

  /** How far this instance had read before it went back to what is committed; 0 if it did not. */
  public long readUpTo() {
    return readUpTo;
  }

  /** What the next commit is to say, after what it has published. */
  public CheckpointMetadata published(CheckpointMetadata next, long attempt) {
    return position < next.published()
        ? next.withPublished(next.published(), next.epoch(), attempt)
        : next.withPublished(position, epoch.orElse(-1), attempt);
  }

  /** Whether nothing may be committed but together with the state. */
  public boolean mustSave() {
    return ledger.mustSave();
  }

  /** Where to read on, in such a way that the broker notices if it has lost what is before. */
  public OffsetAndMetadata next() {
    return new OffsetAndMetadata(position, epoch, "");
  }

  /** The log has lost what stood before an offset. */
  public void noteLoss(long to) {
    losses++;
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
  public void found(Anomaly anomaly, long appendTimeMs, long clockUncertaintyNs) {
    if (current >= committed().published() && !known.test(anomaly.id())) {
      unpublished.add(Finding.of(anomaly, appendTimeMs, clockUncertaintyNs));
    }
  }

  @Override
  public void repeated(String id, long occurrences) {
    onRepeated.accept(id, occurrences);
  }

  /** The state of all its histories, to be written as records. */
  public TaskState save() {
    List<StateCut> parts = new ArrayList<>();
    byte[] head =
        utf8(
            JsonNodeFactory.instance
                .objectNode()
                .put("lossy", lossy)
                .put("cut", phase instanceof ReplayingToLoss));
    parts.add(to -> to.accept(head));
    for (HistoryWorker worker : workers.values()) {
      StateCut chunks = worker.save();
      ObjectNode of =
          JsonNodeFactory.instance
              .objectNode()
              .put("history", worker.history())
              .put("records", worker.records())
              .put("appendTimeMs", worker.appendTimeMs())
              .put("failure", worker.failure());
      parts.add(to -> write(chunks, of, to));
    }
    return new TaskState(position, epoch, losses, parts);
  }

  /** Of a history the chunks, none if they cannot be written, and what they are of. */
  private static void write(StateCut cut, ObjectNode of, StateSink to) {
    List<byte[]> chunks = new ArrayList<>();
    try {
      cut.write(chunks::add);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      log.error("history {}: its state cannot be written", of.path("history").asText(), e);
      chunks.clear();
      of.put("failure", "its state could not be written: " + e);
    }
    chunks.forEach(to::accept);
    to.accept(utf8(of));
  }

  /** Whether a state of this task tells all that the log does not. */
  public boolean isSound(TaskState state) {
    return state.losses() == losses;
  }

  private static byte[] utf8(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Takes back what {@link #save} saved, before any record. */
  public void restore(List<byte[]> records) throws IOException {
    Iterator<byte[]> all = records.iterator();
    JsonNode head =
        all.hasNext() ? JSON.readTree(all.next()) : JsonNodeFactory.instance.missingNode();
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
    lossy = head.path("lossy").asBoolean();
    if (head.path("cut").asBoolean()) {
      goOnBeforeLoss();
    }
  }

  /**
   * A commit is about to be made.
   *
   * @param saved the state that is part of it, which must be {@link #isSound sound}, or null
   * @return what is to be committed
   */
  public OffsetAndMetadata attempt(CheckpointMetadata next, @Nullable TaskState saved) {
    CommitLedger.SavedState state =
        saved == null ? ledger.attempt(next) : ledger.attempt(next, saved.offset(), saved.epoch());
    return new OffsetAndMetadata(state.offset(), state.epoch(), next.text());
  }

  /**
   * The commit was made; nothing was checked since it was attempted.
   *
   * @return what it has published
   */
  public List<Finding> succeeded() {
    publishedNews = List.of();
    if (!ledger.succeeded()) {
      return List.of();
    }
    publishedNews = List.copyOf(publishing);
    publishing.clear();
    workers.values().forEach(HistoryWorker::publishedNews);
    List<Finding> published = List.copyOf(unpublished);
    unpublished.clear();
    return published;
  }

  /** Whether a commit was attempted of which is not known whether it was made. */
  public boolean attempted(CheckpointMetadata found) {
    return ledger.attempted(found);
  }

  /** Whether the group says what was committed last, or attempted. */
  public boolean isAsCommitted(CheckpointMetadata found) {
    return found.equals(committed()) || ledger.attempted(found);
  }

  /** The attempted commit was not made. */
  public void failed() {
    ledger.failed();
  }

  /** Where each history stands. */
  void addStatus(long nowNs, Map<String, HistoryStatus> to) {
    if (!replaying()) {
      workers.forEach((history, worker) -> to.put(history, worker.status(nowNs)));
    }
  }
}
