package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The kernel against the definitions, where writes and writers are known from reads alone. */
final class UnseenWritesAgainstNaiveTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final CheckerConfig OPEN = CheckerConfig.forLive("h").withDeletes(false);
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values())
          .filter(IsolationLevel.SNAPSHOT_ISOLATION::atLeast)
          .toList();

  private final int[] passed = new int[LEVELS.size()];
  private int violated;
  private long unseen;
  private long foreign;

  @Test
  void verdictsEqualTheDefinitions() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      check(seed);
    }
    System.out.printf(
        "seeds %d to %d: %d unseen writes and %d foreign transactions known from reads; %s pass%n",
        FIRST_SEED, FIRST_SEED + HISTORIES - 1, unseen, foreign, Arrays.toString(passed));
    assertThat(unseen).isGreaterThan(HISTORIES / 2);
    assertThat(foreign).isGreaterThan(HISTORIES / 10);
    assertThat(violated).isGreaterThan(HISTORIES / 4);
  }

  /** Here the reader that is asked again has let go of its clock. */
  @Test
  void whatAReaderHadSeenIsComputedAnewWhenItIsAskedAgain() {
    check(6_971_165_022_383_046_853L);
    assertThat(violated).isPositive();
  }

  private void check(long seed) {
    int length = seed % 100 == 0 ? 25 : 0;
    List<TransactionRecord> base =
        seed % 2 == 0 ? RandomHistory.of(seed, length) : ConcurrentHistory.of(seed, length);
    HiddenWriters history = new HiddenWriters(base, seed);
    unseen += history.unseen;
    foreign += history.foreign;
    List<TransactionRecord> arrival =
        seed % 3 == 0 ? RandomHistory.shuffled(history.captured, seed) : history.captured;
    CheckRun run = run(arrival, seed);
    String message =
        "seed %d%n%s%nknown: %s%n%s"
            .formatted(seed, RandomHistory.describe(arrival), history.known, run.anomalies);
    for (IsolationLevel level : LEVELS) {
      boolean expected = NaiveChecker.satisfies(history.known, level, true);
      passed[level.ordinal()] += expected ? 1 : 0;
      assertThat(run.report.verdicts().get(level))
          .as("%s, %s", level, message)
          .isEqualTo(expected ? Verdict.PASS : Verdict.FAIL);
      violated += expected ? 0 : 1;
    }
    assertThat(run.report.readsForeign() + run.report.readsDecided())
        .as(message)
        .isEqualTo(run.report.reads());
  }

  private static Set<Long> ids(TransactionRecord t, OperationKind kind) {
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < t.operations().size(); i++) {
      if (t.operations().kind(i) == kind) {
        ids.add(t.operations().version(i));
      }
    }
    return ids;
  }

  /** Whatever can be checked has been when the next transaction arrives. */
  private static CheckRun run(List<TransactionRecord> arrival, long seed) {
    List<StreamRecord> stream = new ArrayList<>();
    stream.add(new Hello("p", "t", "1", 100, 1000));
    stream.add(HiddenWriters.first());
    int heartbeats = 0;
    Set<Long> awaited = new HashSet<>();
    for (int n = 0; n < arrival.size(); n++) {
      stream.add(arrival.get(n));
      awaited.addAll(ids(arrival.get(n), OperationKind.READ));
      Set<Long> toCome = new HashSet<>();
      for (TransactionRecord later : arrival.subList(n + 1, arrival.size())) {
        toCome.addAll(ids(later, OperationKind.WRITE));
      }
      toCome.retainAll(awaited);
      for (int i = 0; i < 2 && toCome.isEmpty() && seed % 5 != 0; i++) {
        stream.add(new Heartbeat("p", heartbeats++, List.of()));
      }
    }
    stream.add(new Goodbye("p"));
    CheckRun run = new CheckRun(OPEN, seed);
    for (StreamRecord record : stream) {
      run.accept(0, record);
    }
    if (seed % 10 == 0) {
      assertThat(SameState.difference(run.checker, restored(run, seed)))
          .as("seed %d", seed)
          .isNull();
    }
    return run.finish();
  }

  private static Checker restored(CheckRun run, long seed) {
    List<byte[]> saved = new ArrayList<>();
    run.checker.save(saved::add);
    Iterator<byte[]> chunks = saved.iterator();
    return Checker.restore(
        OPEN,
        run,
        CheckRun.TUNINGS.get((int) (seed % CheckRun.TUNINGS.size())),
        () -> chunks.hasNext() ? chunks.next() : null);
  }
}
