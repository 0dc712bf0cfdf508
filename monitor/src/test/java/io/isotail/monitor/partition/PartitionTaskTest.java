package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.News;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task hands its histories over to another one, at whatever record. */
final class PartitionTaskTest {
  private static final MonitorConfig CONFIG =
      MonitorConfig.of(Map.of("defaults.closed", "true", "defaults.unique-versions", "true"));

  private static final List<String> HISTORIES = List.of("a", "b", "c");

  /** Of one history; a violation now and then, as reads choose among all versions there were. */
  private record Entry(String history, StreamRecord record) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void whatIsFoundDoesNotDependOnWhoChecksWhen(long seed) throws IOException {
    List<Entry> log = log(new Random(seed), 400);
    PartitionTask undisturbed = task(0);
    accept(undisturbed, log, 0, log.size());
    assertThat(ids(undisturbed)).as("seed %d", seed).isNotEmpty();

    Random random = new Random(~seed);
    List<String> found = new ArrayList<>();
    PartitionTask owner = task(0);
    int at = 0;
    while (at < log.size()) {
      int to = Math.min(log.size(), at + 1 + random.nextInt(60));
      accept(owner, log, at, to);
      at = to;
      found.addAll(ids(owner));
      PartitionTask next = task(at);
      next.restore(owner.save().records());
      owner = next;
    }
    assertThat(found).as("seed %d", seed).containsExactlyElementsOf(ids(undisturbed));
    for (HistoryWorker worker : undisturbed.workers()) {
      CheckerReport expected = worker.status(0).report();
      HistoryWorker last = owner.add(worker.history());
      CheckerReport report = last.status(0).report();
      assertThat(report.anomalies()).isEqualTo(expected.anomalies());
      assertThat(report.verdicts()).isEqualTo(expected.verdicts());
      assertThat(report.transactions()).isEqualTo(expected.transactions());
      assertThat(last.records()).isEqualTo(worker.records());
      assertThat(last.appendTimeMs()).isEqualTo(worker.appendTimeMs());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void eachCauseAndEachWaveOfAnIncidentIsNewOnceWhoeverPublishesIt(long seed) throws IOException {
    Random random = new Random(seed);
    List<TransactionRecord> log = violations(40);
    List<String> isNew = new ArrayList<>();
    Set<String> causes = new HashSet<>();
    Map<String, Integer> waves = new HashMap<>();
    Function<String, HistoryConfig> configs =
        MonitorConfig.of(
                Map.of(
                    "defaults.closed", "true",
                    "defaults.unique-versions", "true",
                    "defaults.promise", "causal"))
            ::history;
    PartitionTask owner =
        new PartitionTask(0, 0, CheckpointMetadata.none(1), configs, id -> false, (id, n) -> {});
    for (int i = 0; i < log.size(); i++) {
      owner.add("a");
      // One in ten minutes at first, then all at once: ten times as many.
      owner.accept("a", i, 600_000L * (1 + Math.min(i / 4, 5)) + i, log.get(i));
      owner.advance(i + 1);
      if (i < log.size() - 1 && random.nextInt(10) > 0) {
        continue;
      }
      List<News> due = owner.dueNews(i * 1_000_000_000L);
      owner.attempt(owner.committed().withPublished(i + 1, -1, i), null);
      if (i < log.size() - 1 && random.nextInt(3) == 0) {
        owner.failed();
        continue;
      }
      owner.succeeded();
      for (News news : due) {
        String what = news.about().id();
        if (news.about() instanceof IncidentReport incident) {
          waves.merge(what, incident.wave().number(), Math::max);
          what += " " + incident.wave().number();
        } else {
          causes.add(what);
        }
        if (news.isNew()) {
          isNew.add(what);
        }
      }
      if (random.nextInt(3) == 0) {
        PartitionTask next =
            new PartitionTask(0, i + 1, owner.committed(), configs, id -> false, (id, n) -> {});
        next.restore(owner.save().records());
        owner = next;
      }
    }
    assertThat(waves).as("seed %d", seed).hasSize(1).containsValue(2);
    assertThat(causes).hasSize(1);
    List<String> told = new ArrayList<>(causes);
    String incident = waves.keySet().iterator().next();
    told.addAll(List.of(incident + " 1", incident + " 2"));
    assertThat(isNew).containsExactlyInAnyOrderElementsOf(told);
  }

  /** Four transactions each time: the last one reads what it knows to be overwritten. */
  private static List<TransactionRecord> violations(int times) {
    List<TransactionRecord> log = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      int v = 1 + 2 * i;
      log.add(transaction(1, i, new Operations.Builder().write(1, v).build()));
      log.add(
          transaction(
              2, i, new Operations.Builder().read(1, v).write(1, v + 1).write(2, v + 1).build()));
      log.add(transaction(3, 2 * i, new Operations.Builder().read(2, v + 1).build()));
      log.add(transaction(3, 2 * i + 1, new Operations.Builder().read(1, v).build()));
    }
    return log;
  }

  @Test
  void aHistoryWhoseCheckingHadStoppedBeginsAnewAndTheOthersGoOn() throws IOException {
    List<Entry> log = log(new Random(1), 400);
    boolean[] fails = new boolean[1];
    PartitionTask failing =
        new PartitionTask(
            0,
            0,
            CheckpointMetadata.none(1),
            CONFIG::history,
            id -> {
              if (fails[0]) {
                throw new IllegalStateException("the store is broken");
              }
              return false;
            },
            (id, n) -> {});
    for (int i = 0; i < 200; i++) {
      fails[0] = log.get(i).history().equals("b");
      accept(failing, log, i, i + 1);
    }
    assertThat(failing.add("b").failure()).contains("the store is broken");

    PartitionTask next = task(200);
    next.restore(failing.save().records());
    assertThat(next.add("b").failure()).isNull();
    assertThat(next.add("b").records()).isEqualTo(failing.add("b").records());
    assertThat(next.add("b").status(0).report().verdicts().values())
        .as("of what it does not know")
        .containsOnly(Verdict.UNDECIDED);
    accept(next, log, 200, 400);

    PartitionTask undisturbed = task(0);
    accept(undisturbed, log, 0, 400);
    assertThat(next.add("a").status(0).report().anomalies())
        .isEqualTo(undisturbed.add("a").status(0).report().anomalies());
    assertThat(ids(undisturbed))
        .as("it finds what is there, and nothing else")
        .containsAll(ids(next));
    assertThat(next.unpublished()).anyMatch(finding -> finding.anomaly().history().equals("b"));
  }

  @Test
  void aLogThatEndsBeforeWhatWasReadIsReadOnFromItsEndAsAfterALoss() {
    List<Entry> log = log(new Random(2), 400);
    PartitionTask task = task(0);
    accept(task, log, 0, 300);
    int before = ids(task).size();
    task.attempt(task.committed().withPublished(300, -1, 1), task.save());
    task.succeeded();
    assertThat(task.mustSave()).isFalse();
    task.cutBack(250);
    assertThat(task.position()).isEqualTo(250);
    assertThat(task.stateOffset()).isEqualTo(250);
    assertThat(task.committed().published()).isEqualTo(250);
    assertThat(task.replaying()).isFalse();
    assertThat(before).isPositive();
    for (HistoryWorker worker : task.workers()) {
      CheckerReport report = worker.status(0).report();
      assertThat(report.anomalies()).isEmpty();
      assertThat(report.lostRecords()).isPositive();
      assertThat(report.verdicts().values()).containsOnly(Verdict.UNDECIDED);
    }
    assertThat(task.mustSave()).as("the saved state knows nothing of it").isTrue();
    task.attempt(task.committed().withPublished(250, -1, 2), null);
    task.succeeded();
    assertThat(task.mustSave()).isTrue();
    // What was written in place of what was lost.
    List<Entry> other = log(new Random(3), 400);
    accept(task, other, 250, 400);
    PartitionTask undisturbed = task(0);
    accept(undisturbed, other, 0, 400);
    assertThat(ids(task)).isNotEmpty();
    assertThat(ids(undisturbed)).containsAll(ids(task));
  }

  @Test
  void aLogThatEndsBeforeWhatWasPublishedIsReplayedToItsEndAndPublishedFromThere()
      throws IOException {
    List<Entry> log = log(new Random(4), 400);
    CheckpointMetadata committed = CheckpointMetadata.none(1).withPublished(350, -1, 1);
    PartitionTask task =
        new PartitionTask(0, 0, committed, CONFIG::history, id -> false, (id, n) -> {});
    assertThat(task.replaying()).isTrue();
    task.cutBack(200);
    accept(task, log, 0, 199);
    assertThat(task.replaying()).isTrue();
    assertThat(ids(task)).isEmpty();
    PartitionTask saved = task;
    task =
        new PartitionTask(
            0,
            199,
            committed.withPublished(200, -1, 2),
            CONFIG::history,
            id -> false,
            (id, n) -> {});
    task.restore(saved.save().records());
    accept(task, log, 199, 200);
    assertThat(task.replaying()).isFalse();
    for (HistoryWorker worker : task.workers()) {
      assertThat(worker.status(0).report().lostRecords()).isPositive();
    }
    accept(task, log, 200, 400);
    assertThat(ids(task)).isNotEmpty();
    PartitionTask undisturbed = task(0);
    accept(undisturbed, log, 0, 400);
    assertThat(ids(undisturbed)).containsAll(ids(task));
  }

  @Test
  void whatWasWrittenInPlaceOfWhatWasPublishedIsPublished() {
    CheckpointMetadata committed = CheckpointMetadata.none(1).withPublished(350, 4, 1);
    List<Entry> log = log(new Random(5), 400);
    PartitionTask intact =
        new PartitionTask(0, 0, committed, CONFIG::history, id -> false, (id, n) -> {});
    PartitionTask cut =
        new PartitionTask(0, 0, committed, CONFIG::history, id -> false, (id, n) -> {});
    for (int i = 0; i < 350; i++) {
      intact.next(i, Optional.of(i < 200 ? 3 : 4));
      accept(intact, log, i, i + 1);
      cut.next(i, Optional.of(i < 200 ? 3 : 5));
      accept(cut, log, i, i + 1);
      assertThat(cut.replaying()).isEqualTo(i < 200);
    }
    assertThat(ids(intact)).isEmpty();
    assertThat(intact.mustSave()).isFalse();
    assertThat(cut.mustSave()).isTrue();
    assertThat(ids(cut)).isNotEmpty();
    for (HistoryWorker worker : cut.workers()) {
      assertThat(worker.status(0).report().lostRecords()).isPositive();
    }
  }

  @Test
  void aHistoryThatBeginsAfterALossThatAnEarlierOwnerSawIsOneOfWhichRecordsWereLost()
      throws IOException {
    PartitionTask owner = task(0);
    owner.skipped();
    PartitionTask next = task(10);
    next.restore(owner.save().records());
    next.add("late");
    next.accept("late", 10, 10, new Hello("p", "late", "1", 100));
    next.accept("late", 11, 11, transaction(1, 0, new Operations.Builder().read(1, 10).build()));
    for (int i = 0; i < 3; i++) {
      next.accept("late", 12 + i, 12 + i, new Heartbeat("p", i, List.of()));
    }
    CheckerReport report = next.add("late").status(0).report();
    assertThat(report.anomalies()).isEmpty();
    assertThat(report.undecided()).containsKey(UndecidedReason.LOST_RECORDS);
  }

  private static PartitionTask task(long position) {
    return new PartitionTask(
        0, position, CheckpointMetadata.none(1), CONFIG::history, id -> false, (id, n) -> {});
  }

  private static void accept(PartitionTask task, List<Entry> log, int from, int to) {
    for (int i = from; i < to; i++) {
      Entry entry = log.get(i);
      task.add(entry.history());
      task.accept(entry.history(), i, i, entry.record());
      task.advance(i + 1);
    }
  }

  private static List<String> ids(PartitionTask task) {
    return task.unpublished().stream().map(finding -> finding.anomaly().id()).toList();
  }

  private static List<Entry> log(Random random, int size) {
    int[][] sequences = new int[HISTORIES.size()][4];
    int[][] versions = new int[HISTORIES.size()][3];
    List<Entry> log = new ArrayList<>();
    while (log.size() < size) {
      if (log.size() % 5 == 0) {
        String history = HISTORIES.get(log.size() / 5 % HISTORIES.size());
        log.add(new Entry(history, new Heartbeat("p", log.size(), List.of())));
        continue;
      }
      int history = random.nextInt(HISTORIES.size());
      int session = random.nextInt(4);
      Operations.Builder operations = new Operations.Builder();
      for (int i = 0; i < 2; i++) {
        int key = random.nextInt(3);
        int last = versions[history][key];
        if (last > 0) {
          operations.read(key, Math.max(1, last - (random.nextInt(20) == 0 ? 2 : 0)));
        }
        if (random.nextBoolean()) {
          operations.write(key, ++versions[history][key]);
        }
      }
      log.add(
          new Entry(
              HISTORIES.get(history),
              transaction(session, sequences[history][session]++, operations.build())));
    }
    return log;
  }

  private static TransactionRecord transaction(long session, long sequence, Operations ops) {
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, "p", null, null, null, 0),
        sequence,
        sequence,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops);
  }
}
