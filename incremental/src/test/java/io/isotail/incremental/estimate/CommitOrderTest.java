package io.isotail.incremental.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.RandomHistory;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** An estimated order is one of the records, and where it can be found, that of the commits. */
class CommitOrderTest {
  private static final int KEYS = 500;

  @Test
  void nothingHasAnOrder() {
    assertThat(CommitOrder.of(List.of())).isEmpty();
  }

  /** Whatever the records say: each is there once, and each session is in its order. */
  @Test
  void anyHistoryIsPutInOneOrderOfItsSessions() {
    for (long seed : RandomHistory.seeds(Seeds.FIRST, Seeds.HISTORIES)) {
      List<TransactionRecord> history =
          seed % 2 == 0 ? RandomHistory.of(seed) : RandomHistory.concurrent(seed);
      int[] order = CommitOrder.of(history);
      assertThat(order).as("seed %d", seed).hasSize(history.size()).doesNotHaveDuplicates();
      Map<Long, Integer> last = new HashMap<>();
      for (int record : order) {
        Integer before = last.put(history.get(record).session().id(), record);
        assertThat(before == null || before < record).as("seed %d", seed).isTrue();
      }
      assertThat(CommitOrder.of(history)).as("seed %d", seed).isEqualTo(order);
    }
  }

  /**
   * Run one after the other, mixed or session by session: nearly all reads are of the last write.
   */
  @Test
  void serialHistoriesAreUnravelled() {
    for (int sessions : new int[] {5, 20, 150}) {
      List<TransactionRecord> serial = serial(2_000, sessions, new Random(sessions));
      assertThat(stale(serial)).isZero();
      for (boolean mixed : new boolean[] {false, true}) {
        List<TransactionRecord> ravelled = ravelled(serial, mixed, new Random(sessions));
        int before = stale(ravelled);
        int after = stale(ordered(ravelled));
        assertThat(before).as("%d sessions", sessions).isGreaterThan(serial.size() / 2);
        assertThat(after)
            .as("%d sessions", sessions)
            .isLessThanOrEqualTo(sessions <= 20 ? serial.size() / 200 : before / 4);
      }
    }
  }

  /** The verdicts are those of the order of the lines; so is each line that an anomaly names. */
  @Test
  void theVerdictsAreTheSame() {
    int violated = 0;
    for (long seed : RandomHistory.seeds(Seeds.FIRST, Seeds.HISTORIES)) {
      List<TransactionRecord> history =
          seed % 2 == 0 ? RandomHistory.of(seed) : RandomHistory.concurrent(seed);
      int[] lines = new int[history.size()];
      Arrays.setAll(lines, line -> line);
      List<Anomaly> asTheyCome = new ArrayList<>();
      List<Anomaly> estimated = new ArrayList<>();
      assertThat(verdicts(history, CommitOrder.of(history), estimated))
          .as("seed %d", seed)
          .isEqualTo(verdicts(history, lines, asTheyCome));
      violated += estimated.isEmpty() ? 0 : 1;
      assertThat(estimated)
          .as("seed %d", seed)
          .allMatch(anomaly -> anomaly.offset() >= 0 && anomaly.offset() < history.size());
    }
    assertThat(violated).isBetween(Seeds.HISTORIES / 20, Seeds.HISTORIES * 19 / 20);
  }

  private static Map<IsolationLevel, Verdict> verdicts(
      List<TransactionRecord> history, int[] order, List<Anomaly> anomalies) {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE);
    Checker checker =
        new Checker(
            config,
            new AnomalyListener() {
              @Override
              public void found(Anomaly anomaly) {
                anomalies.add(anomaly);
              }

              @Override
              public void repeated(String id, long occurrences) {}
            });
    for (int line : order) {
      checker.accept(line, 0, history.get(line));
    }
    checker.finish();
    return checker.report().verdicts();
  }

  /** A version that is written twice, as under one id of a row, lets its reader begin once. */
  @Test
  void aVersionMayBeWrittenTwice() {
    List<TransactionRecord> history = new ArrayList<>();
    Random random = new Random(3);
    long[] sequence = new long[5];
    for (int i = 0; i < 2_000; i++) {
      int session = random.nextInt(5);
      Operations.Builder ops = new Operations.Builder();
      long key = random.nextInt(20);
      long version = random.nextInt(3) + 3L * random.nextInt(200);
      if (random.nextBoolean()) {
        ops.write(key, version).write(key, random.nextInt(600)).write(key, version);
      } else {
        ops.read(key, version);
      }
      history.add(transaction(session, sequence[session]++, ops));
    }
    assertSessionsKept(history, CommitOrder.of(history));
  }

  /** When the steps are spent the rest goes as its sessions and reads allow. */
  @Test
  void itEndsWhateverTheStepsAre() {
    List<TransactionRecord> history =
        ravelled(serial(2_000, 20, new Random(4)), false, new Random(4));
    for (long steps : new long[] {0, 1, 100, 10_000}) {
      HistoryColumns columns = new HistoryColumns(history);
      Replay replay = new Replay(columns, new Ranks(columns), steps);
      assertSessionsKept(history, replay.run());
    }
  }

  /** Thousands who read a row and write it, after which nobody else may: each costs little. */
  @Test
  void aFloodOfLostUpdatesTakesStepsInProportion() {
    List<TransactionRecord> history = new ArrayList<>();
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      history.add(
          transaction(i % 50, i / 50, new Operations.Builder().readInitial(1).write(1, i + 1)));
    }
    HistoryColumns columns = new HistoryColumns(history);
    Replay replay = new Replay(columns, new Ranks(columns));
    long before = replay.steps;
    assertSessionsKept(history, replay.run());
    assertThat(before - replay.steps).isLessThan(50L * count);
  }

  private static void assertSessionsKept(List<TransactionRecord> history, int[] order) {
    assertThat(order).hasSize(history.size()).doesNotHaveDuplicates();
    Map<Long, Integer> last = new HashMap<>();
    for (int record : order) {
      Integer before = last.put(history.get(record).session().id(), record);
      assertThat(before == null || before < record).isTrue();
    }
  }

  /** What contradicts itself ends too: cycles of reads, and lost updates. */
  @Test
  void contradictionsAreLeftAsTheyAre() {
    List<TransactionRecord> history =
        List.of(
            transaction(1, 0, new Operations.Builder().write(1, 1).read(2, 2)),
            transaction(2, 0, new Operations.Builder().write(2, 2).read(1, 1)),
            transaction(3, 0, new Operations.Builder().readInitial(3).write(3, 3)),
            transaction(4, 0, new Operations.Builder().readInitial(3).write(3, 4)),
            transaction(5, 0, new Operations.Builder().read(3, 3).read(3, 4).read(9, 9)));
    assertThat(CommitOrder.of(history)).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
  }

  private static List<TransactionRecord> ordered(List<TransactionRecord> history) {
    List<TransactionRecord> ordered = new ArrayList<>();
    for (int record : CommitOrder.of(history)) {
      ordered.add(history.get(record));
    }
    return ordered;
  }

  /** Transactions of four operations on a store, one after the other. */
  private static List<TransactionRecord> serial(int count, int sessions, Random random) {
    Map<Long, Long> store = new HashMap<>();
    List<TransactionRecord> history = new ArrayList<>();
    long[] sequence = new long[sessions];
    long version = 0;
    for (int i = 0; i < count; i++) {
      Operations.Builder ops = new Operations.Builder();
      for (int op = 0; op < 4; op++) {
        long key = random.nextInt(KEYS);
        if (random.nextBoolean()) {
          store.put(key, ++version);
          ops.write(key, version);
        } else if (store.containsKey(key)) {
          ops.read(key, store.get(key));
        } else {
          ops.readInitial(key);
        }
      }
      int session = random.nextInt(sessions);
      history.add(transaction(session, sequence[session]++, ops));
    }
    return history;
  }

  private static TransactionRecord transaction(
      long session, long sequence, Operations.Builder operations) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
        sequence,
        sequence,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        operations.build());
  }

  /** Mixes the sessions of a history anew, or puts one behind the other. */
  private static List<TransactionRecord> ravelled(
      List<TransactionRecord> history, boolean mixed, Random random) {
    Map<Long, ArrayDeque<TransactionRecord>> bySession = new HashMap<>();
    history.forEach(
        each -> bySession.computeIfAbsent(each.session().id(), id -> new ArrayDeque<>()).add(each));
    List<ArrayDeque<TransactionRecord>> sessions = new ArrayList<>(bySession.values());
    List<TransactionRecord> ravelled = new ArrayList<>();
    while (!sessions.isEmpty()) {
      int session = mixed ? random.nextInt(sessions.size()) : 0;
      ravelled.add(sessions.get(session).remove());
      if (sessions.get(session).isEmpty()) {
        sessions.remove(session);
      }
    }
    return ravelled;
  }

  /** Reads of another version than the one that was written last before. */
  private static int stale(List<TransactionRecord> history) {
    Map<Long, Long> store = new HashMap<>();
    int stale = 0;
    for (TransactionRecord each : history) {
      Operations ops = each.operations();
      for (int op = 0; op < ops.size(); op++) {
        if (ops.installs(op)) {
          store.put(ops.key(op), ops.version(op));
        } else {
          long version = ops.readsKnown(op) ? ops.version(op) : 0;
          stale += store.getOrDefault(ops.key(op), 0L) == version ? 0 : 1;
        }
      }
    }
    return stale;
  }
}
