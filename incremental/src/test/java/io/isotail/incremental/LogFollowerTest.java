package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.changes.CommitFault;
import io.isotail.incremental.changes.LogFollower;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is told of a history by its contents and the log, beside what really happened. */
final class LogFollowerTest {
  private static final int HISTORIES = Seeds.HISTORIES;

  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private final Map<IsolationLevel, int[]> found = new EnumMap<>(IsolationLevel.class);
  private long reads;
  private long undecided;
  private int alarms;

  @Test
  void noAlarmIsFalseAndNoPassUnearned() {
    run(LoggedHistory.Log.WHOLE, false);
    assertThat(alarms).isGreaterThan(HISTORIES / 50);
    assertThat(verdicts.get(Verdict.PASS)).isGreaterThan(HISTORIES);
    assertThat(undecided).as("undecided of " + reads).isLessThan(reads / 2);
  }

  /** What was told before stays known. */
  @Test
  void noAlarmIsFalseAndNoPassUnearnedWhereTheLogPauses() {
    run(LoggedHistory.Log.PAUSED, false);
    assertThat(alarms).isGreaterThan(HISTORIES / 100);
    assertThat(undecided).as("undecided of " + reads).isLessThan(reads * 2 / 3);
  }

  @Test
  void noAlarmIsFalseWhereTheLogBeginsLateOrIsCut() {
    run(LoggedHistory.Log.DAMAGED, false);
    assertThat(alarms).isGreaterThan(HISTORIES / 200);
  }

  @Test
  void noAlarmIsFalseAndNoPassUnearnedWhereRowsShowIds() {
    run(LoggedHistory.Log.WHOLE, true);
    assertThat(alarms).isGreaterThan(HISTORIES / 100);
    assertThat(verdicts.get(Verdict.PASS)).isGreaterThan(HISTORIES);
    assertThat(undecided).as("undecided of " + reads).isLessThan(reads / 2);
  }

  @Test
  void noAlarmIsFalseWhereRowsShowIdsAndTheLogPauses() {
    run(LoggedHistory.Log.PAUSED, true);
    assertThat(alarms).isGreaterThan(HISTORIES / 100);
  }

  @Test
  void noAlarmIsFalseWhereRowsShowIdsAndTheLogBeginsLateOrIsCut() {
    run(LoggedHistory.Log.DAMAGED, true);
    assertThat(alarms).isGreaterThan(HISTORIES / 200);
  }

  /** What a monitor puts in the place of records that it has missed has no proxy. */
  @Test
  void aLossOfNobodysIsALossWhereNoLogIsFollowed() {
    CheckRun run = new CheckRun(CheckerConfig.forLive("h").withClosed(true));
    run.accept(1, new Gap("", 1)).finish();
    assertThat(run.report.lostRecords()).isEqualTo(1);
  }

  /** Its proxy could not reach the broker, and the database could be reached. */
  @Test
  void whatWasToldToBeNobodysIsNotWrittenAgainByWhoComesLate() {
    LogFollower follower = new LogFollower(60_000);
    List<TransactionRecord> handed = new ArrayList<>();
    LogFollower.Next next = takingTransactions(handed);
    LoggedTable table = new LoggedTable("t", List.of("a"));
    follower.accept(0, 1, new LogStart("log", 1, 2, Set.of("t")), next);
    follower.accept(1, 2, new Hello("p", "shop", "i", 100, 2, 1, Hello.NOT_KNOWN), next);
    for (int s = 10; s <= 60; s += 10) {
      follower.accept(2, s * 1_000L, new LogMark("log", 0), next);
    }
    RowChange change = new RowChange(table, 7, null, new long[] {1});
    follower.accept(2, 61_000, new Changes("log", 0, 5, true, List.of(change)), next);
    follower.accept(3, 61_100, new LogMark("log", 1), next);
    follower.accept(4, 64_000, new LogMark("log", 1), next);
    assertThat(handed).hasSize(1);
    Operations late =
        new Operations.Builder()
            .statement(new Statement("t", "SELECT …", false, false, List.of("a")))
            .readInitial(7)
            .statement(new Statement("t", "INSERT …"))
            .writeUnknown(7)
            .statement(new Statement(Statement.ELSEWHERE, "", true))
            .write(1, 5)
            .build();
    follower.accept(5, 64_100, committed(late), next);
    follower.finish(next);
    assertThat(handed).hasSize(2);
    assertThat(handed.get(1).operations().size()).isEqualTo(1);
    assertThat(handed.get(1).operations().kind(0)).isEqualTo(OperationKind.READ);
  }

  /** The broker was away: whoever follows the log is there again as soon as it can be. */
  @Test
  void whereAllWereSilentAtOnceTheLogIsWaitedFor() {
    LogFollower follower = new LogFollower(10_000);
    List<TransactionRecord> handed = new ArrayList<>();
    LogFollower.Next next = takingTransactions(handed);
    LoggedTable table = new LoggedTable("t", List.of("a"));
    follower.accept(0, 1, new LogStart("log", 1, 2, Set.of("t")), next);
    follower.accept(1, 2, new Hello("p", "shop", "i", 100, 2, 1, Hello.NOT_KNOWN), next);
    follower.accept(2, 3, new Hello("q", "shop", "j", 100, 2, 1, Hello.NOT_KNOWN), next);
    Operations read =
        new Operations.Builder()
            .statement(new Statement("t", "SELECT …", false, false, List.of("a")))
            .read(7, 1)
            .build();
    follower.accept(3, 4, committed(read), next);
    follower.accept(4, 600_000, new Heartbeat("p", 0, List.of()), next);
    RowChange change = new RowChange(table, 7, null, new long[] {1});
    follower.accept(5, 600_100, new Changes("log", 0, 5, true, List.of(change)), next);
    for (int i = 1; i <= 3; i++) {
      follower.accept(6, 600_200 + i, new LogMark("log", 1), next);
      follower.accept(6, 600_200 + i, new Heartbeat("p", i, List.of()), next);
      follower.accept(6, 600_200 + i, new Heartbeat("q", i, List.of()), next);
    }
    follower.accept(7, 600_300, new LogMark("log", 1), next);
    assertThat(handed).as("the one of the log, and who reads from it").hasSize(2);
    assertThat(handed.get(1).operations().size()).as("it is decided").isEqualTo(1);
    assertThat(handed.get(1).operations().version(0)).isEqualTo(5);
  }

  /** It was captured without an id, and handed on while the log was not followed. */
  @Test
  void whatALogTellsThatBeginsAnewIsNotNobodysIfItMayHaveBeenHandedOn() {
    LogFollower follower = new LogFollower(60_000);
    List<TransactionRecord> handed = new ArrayList<>();
    LogFollower.Next next = takingTransactions(handed);
    LoggedTable table = new LoggedTable("t", List.of("a"));
    follower.accept(0, 1, new LogStart("log", 1, 2, Set.of("t")), next);
    follower.accept(1, 2, new Hello("p", "shop", "i", 100, 2, 1, Hello.NOT_KNOWN), next);
    follower.accept(2, 3, new Gap("log", 1), next);
    Operations write =
        new Operations.Builder().statement(new Statement("t", "UPDATE …")).writeUnknown(7).build();
    follower.accept(3, 4, committed(write), next);
    RowChange change = new RowChange(table, 7, new long[] {1}, new long[] {2});
    follower.accept(4, 5, new Changes("log", 1, 5, true, List.of(change)), next);
    int offset = 5;
    for (int i = 0; i < 4; i++) {
      follower.accept(offset++, 5, new LogMark("log", 2), next);
      follower.accept(offset++, 5, new Heartbeat("p", i, List.of()), next);
    }
    follower.accept(offset++, 6, new LogStart("log2", 1, 2, Set.of("t")), next);
    follower.accept(offset++, 7, new Changes("log2", 0, 5, true, List.of(change)), next);
    for (int i = 4; i < 8; i++) {
      follower.accept(offset++, 8, new LogMark("log2", 1), next);
      follower.accept(offset++, 8, new Heartbeat("p", i, List.of()), next);
    }
    follower.finish(next);
    assertThat(handed).hasSize(1);
  }

  /** A log is not kept in memory however large its transactions are. */
  @Test
  void aTransactionOfTooManyRowsIsLostAndWhatComesBehindItIsFollowed() {
    LogFollower follower = new LogFollower(60_000);
    List<StreamRecord> handed = new ArrayList<>();
    List<Long> begun = new ArrayList<>();
    LogFollower.Next next =
        taking(
            (offset, record) -> {
              handed.add(record);
              if (record instanceof Hello) {
                begun.add(offset);
              }
            });
    LoggedTable table = new LoggedTable("t", List.of("a"));
    int offset = 0;
    follower.accept(offset++, 1, new LogStart("log", 1, 1, Set.of("t")), next);
    int parts = 250;
    for (int part = 0; part < parts; part++) {
      List<RowChange> rows = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        rows.add(new RowChange(table, part * 1_000L + i, null, new long[] {1}));
      }
      follower.accept(offset++, 2, new Changes("log", part, 7, part == parts - 1, rows), next);
      follower.accept(offset++, 2, new LogMark("log", part + 1), next);
    }
    assertThat(follower.lost()).isEqualTo(1);
    assertThat(handed).filteredOn(record -> record instanceof Goodbye).hasSize(1);
    // Not in the midst of the transaction, of which only the end would be known then.
    assertThat(begun).containsExactly(0L, offset - 1L);
  }

  /** A transaction of proxy p. */
  private static TransactionRecord committed(Operations operations) {
    SessionInfo session = new SessionInfo(1, "s", "p", "shop", "i", null, 0, 1, Hello.NOT_KNOWN);
    return new TransactionRecord(session, 0, 0, 0, Outcome.COMMITTED, null, 1, 2, null, operations);
  }

  private static LogFollower.Next takingTransactions(List<TransactionRecord> handed) {
    return taking(
        (offset, record) -> {
          if (record instanceof TransactionRecord transaction) {
            handed.add(transaction);
          }
        });
  }

  private static LogFollower.Next taking(BiConsumer<Long, StreamRecord> taker) {
    return new LogFollower.Next() {
      @Override
      public void accept(long offset, long timeMs, StreamRecord record) {
        taker.accept(offset, record);
      }

      @Override
      public void fault(CommitFault fault) {
        throw new AssertionError(fault);
      }
    };
  }

  private void run(LoggedHistory.Log fate, boolean shows) {
    for (long seed : RandomHistory.seeds(Seeds.FRESH, HISTORIES)) {
      check(seed, fate, shows);
    }
    System.out.printf(
        "reads %d, undecided %d, alarms %d, verdicts %s%n", reads, undecided, alarms, verdicts);
    found.forEach(
        (level, n) -> System.out.printf("%s: %d of %d violations told%n", level, n[0], n[1]));
  }

  private void check(long seed, LoggedHistory.Log fate, boolean shows) {
    LoggedHistory history = new LoggedHistory(seed, 3 + (int) (seed % 5), fate, shows);
    CheckRun run = history.checked(seed);
    String message = "seed %d%n%s%ntruth %s".formatted(seed, lines(history), history.truth);
    for (Anomaly anomaly : run.anomalies) {
      alarms++;
      assertThat(anomaly.kind())
          .as(message)
          .isNotIn(AnomalyKind.LOST_COMMIT, AnomalyKind.UNASKED_COMMIT);
      assertThat(holds(history, anomaly.level()))
          .as(anomaly.level() + " " + anomaly.kind() + " " + message)
          .isFalse();
    }
    // What nobody has told of is not passed either.
    Map<String, Operations> told = new HashMap<>();
    run.checker.delivered().forEach(t -> told.put(name(t), t.operations));
    boolean all = fate == LoggedHistory.Log.WHOLE && history.replacingUntold.isEmpty();
    List<NaiveChecker.Input> known =
        history.truthOfChanges.stream()
            .filter(t -> t.session() < LoggedHistory.FOREIGN || told.containsKey(name(t, history)))
            .map(t -> all ? t : withReplacedOfTold(t, history, told))
            .toList();
    reads += run.report.reads();
    undecided += run.report.readsUndecided();
    for (Map.Entry<IsolationLevel, Verdict> each : run.report.verdicts().entrySet()) {
      boolean holds = holds(history, each.getKey());
      verdicts.merge(each.getValue(), 1, Integer::sum);
      int[] n = found.computeIfAbsent(each.getKey(), level -> new int[2]);
      if (!holds) {
        n[1]++;
        n[0] += each.getValue() == Verdict.FAIL ? 1 : 0;
      }
      if (each.getValue() == Verdict.PASS) {
        assertThat(LoggedHistory.holds(known, each.getKey()))
            .as(each.getKey() + " " + message)
            .isTrue();
      }
      if (each.getValue() == Verdict.FAIL) {
        assertThat(holds).as(each.getKey() + " " + message).isFalse();
      }
    }
  }

  /**
   * Whether nothing is wrong, be a write that left its row as it was one or none: what comes behind
   * it reads the version of its writer, or that of the writer before, which looks the same.
   */
  private static boolean holds(LoggedHistory history, IsolationLevel level) {
    return LoggedHistory.holds(history.truth, level)
        && (history.truth.equals(history.truthOfChanges)
            || LoggedHistory.holds(history.truthOfChanges, level));
  }

  private static String name(Transaction t) {
    String session = t.session.info.name();
    return !t.uncaptured() && session.matches("s\\d")
        ? session + "/" + t.number
        : "log/" + t.number;
  }

  private static String name(NaiveChecker.Input t, LoggedHistory history) {
    return t.session() >= LoggedHistory.FOREIGN
        ? "log/" + (t.session() - LoggedHistory.FOREIGN)
        : "s" + t.session() + "/" + history.numbers.get(t);
  }

  /**
   * A transaction that replaced only what it was told to have replaced, of which it was told who
   * wrote it.
   */
  private static NaiveChecker.Input withReplacedOfTold(
      NaiveChecker.Input t, LoggedHistory history, Map<String, Operations> told) {
    Operations ops = t.operations();
    Operations own = told.get(name(t, history));
    LongPredicate isTold =
        key -> {
          NaiveChecker.Input writer = null;
          for (int i = 0; i < ops.size(); i++) {
            for (NaiveChecker.Input other : history.truthOfChanges) {
              if (ops.key(i) == key && ops.replaces(i) && writes(other, key, ops.replaced(i))) {
                writer = other;
              }
            }
          }
          Operations ofWriter = writer == null ? null : told.get(name(writer, history));
          return own != null
              && ofWriter != null
              && any(own, i -> own.key(i) == key && own.mayWrite(i))
              && own.replaces(firstWrite(own, key))
              && any(ofWriter, i -> ofWriter.key(i) == key && ofWriter.installs(i));
        };
    return new NaiveChecker.Input(
        t.session(), t.position(), t.outcome(), t.times(), ops.withReplacedOf(isTold));
  }

  private static boolean writes(NaiveChecker.Input t, long key, long version) {
    Operations ops = t.operations();
    return any(ops, i -> ops.key(i) == key && ops.installs(i) && ops.version(i) == version);
  }

  /** The one that tells what a transaction has replaced. */
  private static int firstWrite(Operations ops, long key) {
    return IntStream.range(0, ops.size())
        .filter(i -> ops.key(i) == key && ops.mayWrite(i))
        .findFirst()
        .orElseThrow();
  }

  private static boolean any(Operations ops, IntPredicate operation) {
    return IntStream.range(0, ops.size()).anyMatch(operation);
  }

  private static String lines(LoggedHistory history) {
    StringBuilder lines = new StringBuilder();
    history.stream.forEach(record -> lines.append(record).append('\n'));
    return lines.toString();
  }
}
