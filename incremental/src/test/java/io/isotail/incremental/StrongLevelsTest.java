package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The levels from prefix on against the definitions, on random small histories. */
final class StrongLevelsTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final IsolationLevel STRONGEST = IsolationLevel.STRICT_SERIALIZABLE;
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(l -> l.compareTo(STRONGEST) <= 0).toList();

  @Test
  void verdictsEqualTheDefinitionsInAnyArrivalOrder() {
    int[] passed = new int[LEVELS.size()];
    int untimed = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = history(seed);
      untimed += timed(history) ? 0 : 1;
      compare(seed, history, passed);
    }
    System.out.printf(
        "seeds %d to %d: %s of %d histories pass at %s%n",
        FIRST_SEED, FIRST_SEED + HISTORIES - 1, Arrays.toString(passed), HISTORIES, LEVELS);
    for (int count : passed) {
      assertThat(count).isBetween(HISTORIES / 20, HISTORIES * 19 / 20);
    }
    assertThat(untimed).isBetween(HISTORIES / 3, HISTORIES * 2 / 3);
  }

  /**
   * A list of a transaction that has come to leave out its reads of the key, and one that no read
   * ends: the first was missing from the proof, the second counted.
   */
  @Test
  void listsThatAreNotOfGoodReadsHaveProofsOrDoNotCount() {
    for (long seed : new long[] {70_011_603, 70_120_578, 9_003_435}) {
      compare(seed, history(seed), new int[LEVELS.size()]);
    }
  }

  private static List<TransactionRecord> history(long seed) {
    return ReplacedVersionsIn.of(
        seed % 4 == 0 ? RandomHistory.of(seed) : ConcurrentHistory.of(seed), seed);
  }

  /** Counts at which levels the history passes. */
  private static void compare(long seed, List<TransactionRecord> history, int[] passed) {
    long uncertaintyNs = seed % 3 == 0 ? -1 : seed % 5;
    CheckerConfig config = CheckerConfig.forFile("h", STRONGEST);
    if (uncertaintyNs >= 0) {
      config = config.withClockUncertainty(uncertaintyNs);
    }
    boolean[] expected = new boolean[LEVELS.size()];
    for (IsolationLevel level : LEVELS) {
      expected[level.ordinal()] =
          NaiveChecker.satisfies(CheckRun.inputs(history), level, true, uncertaintyNs);
      passed[level.ordinal()] += expected[level.ordinal()] ? 1 : 0;
      assertThat(level.ordinal() > 0 && expected[level.ordinal()] && !expected[level.ordinal() - 1])
          .as("seed %d holds at %s and not below", seed, level)
          .isFalse();
    }
    for (int order = 0; order < 2; order++) {
      List<TransactionRecord> arrival =
          order == 0 ? history : RandomHistory.shuffled(history, seed * 31 + order);
      CheckRun run = CheckRun.of(config, order, arrival);
      for (IsolationLevel level : LEVELS) {
        assertThat(run.report.verdicts().get(level))
            .as(
                "seed %d, order %d, %s%n%s%n%s",
                seed, order, level, RandomHistory.describe(arrival), run.anomalies)
            .isEqualTo(verdict(run, expected[level.ordinal()], level, history, uncertaintyNs >= 0));
      }
      AgainstNaiveTest.checkCapsules(run, seed, arrival, uncertaintyNs);
    }
  }

  @Test
  void aWindowNeverRaisesAFalseAlarm() {
    int found = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = RandomHistory.shuffled(history(seed), seed);
      int window = 2 + (int) (seed % 4);
      CheckRun run = new CheckRun(CheckerConfig.forFile("h", STRONGEST).withWindow(window), seed);
      Cuts cuts = Cuts.of(run, history, new Cuts(history, -1));
      AgainstNaiveTest.checkProofs(run, seed, history, -1);
      found += run.anomalies.size();
      for (IsolationLevel level : LEVELS) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        cuts.justify(
            run,
            level,
            expected,
            "seed %d, window %d, %s%n%s%n%s"
                .formatted(seed, window, level, RandomHistory.describe(history), run.anomalies));
      }
    }
    assertThat(found).isGreaterThan(HISTORIES / 10);
  }

  @Test
  void whatWasPromisedLessIsBeyondReachWithWhatLedToIt() {
    List<TransactionRecord> history =
        Dsl.history("t: wx1 ; f: wf1 ; r: rx0 wk1 ; t: wy1 ; q: ry1 rk0").stream()
            .map(t -> ranAt(t, t.sequence() == 0 && t.session().name().equals("t")))
            .toList();
    for (int window = 2; window <= 5; window++) {
      CheckRun run = CheckRun.of(CheckerConfig.forFile("h", STRONGEST).withWindow(window), history);
      failsOrIsBeyondReach(run, IsolationLevel.SERIALIZABLE, window == 5);
    }
  }

  private static void failsOrIsBeyondReach(CheckRun run, IsolationLevel level, boolean inWindow) {
    assertThat(run.report.verdicts().get(level))
        .isIn(Verdict.FAIL, inWindow ? Verdict.FAIL : Verdict.PASS);
  }

  private static TransactionRecord ranAt(TransactionRecord t, boolean less) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        0,
        t.outcome(),
        less ? "serializable" : "strict-serializable",
        t.beginNs(),
        t.endNs(),
        null,
        t.operations());
  }

  /** Rows that are seldom written were last written long ago. */
  @Test
  void violationsOnVersionsFromBeforeTheWindowAreFound() {
    String[] patterns = {
      "a: wx1 ; %s ; b: rx1 wx2 ; c: rx1 wx3",
      "a: wx1 wy1 ; %s ; b: rx1 ry1 wx2 ; c: rx1 ry1 wy2",
      "a: wx1 wy1 ; %s ; b: wx2 ; c: wy2 ; d: rx2 ry1 ; e: rx1 ry2",
    };
    AnomalyKind[] kinds = {AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW, AnomalyKind.LONG_FORK};
    String others =
        IntStream.range(0, 50).mapToObj(i -> "z: wz" + (i + 1)).collect(Collectors.joining(" ; "));
    for (int i = 0; i < patterns.length; i++) {
      List<TransactionRecord> history = Dsl.history(patterns[i].formatted(others));
      CheckRun run =
          CheckRun.of(
              CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE).withWindow(10), history);
      assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(kinds[i]);
      AgainstNaiveTest.checkCapsules(run, i, history);
    }
  }

  @Test
  void whatASessionDidBeforeTheWindowComesBeforeWhatItDoesNext() {
    List<TransactionRecord> history =
        Dsl.history("a: wx1 wy2 ; b: wx4 wz5 ; b: wy6 wx7 ; c: wx8 wz9 ry0 ; b: wy11 ; a: rz0");
    for (int window = 4; window <= 10; window += 6) {
      CheckRun run = CheckRun.of(CheckerConfig.forFile("h", STRONGEST).withWindow(window), history);
      failsOrIsBeyondReach(run, IsolationLevel.SNAPSHOT_ISOLATION, window == 10);
    }
  }

  /** What a graph costs, it costs for the whole window. */
  @Test
  void aLevelKeepsAGraphOnlyWhileStrongerOnesLeaveOutWhatItHolds() {
    assertThat(graphs("a: wx1 ; b: rx1 wx2 ; c: rx2")).as("no violation").isEqualTo(1);
    String longFork = "a: wx1 wy1 ; b: wx2 ; c: wy2 ; d: rx2 ry1 ; e: rx1 ry2";
    assertThat(graphs(longFork)).as("a violation of all").isEqualTo(1);
    String lostUpdate = "a: wx1 ; b: rx1 wx2 ; c: rx1 wx3";
    assertThat(graphs(lostUpdate)).as("of all but prefix").isEqualTo(2);
    String writeSkew = "f: wu1 wv1 ; g: ru1 rv1 wu2 ; h: ru1 rv1 wv2";
    assertThat(graphs(writeSkew)).as("of none up to snapshot isolation").isEqualTo(2);
    assertThat(graphs(lostUpdate + " ; " + writeSkew)).isEqualTo(3);
    String others =
        IntStream.range(0, 20).mapToObj(i -> " ; z: wz" + (i + 1)).collect(Collectors.joining());
    assertThat(graphs(lostUpdate + " ; " + writeSkew + others)).as("all past").isEqualTo(1);
  }

  private static final AnomalyListener NOBODY =
      new AnomalyListener() {
        @Override
        public void found(Anomaly anomaly) {}

        @Override
        public void repeated(String id, long occurrences) {}
      };

  /** How many graphs the levels keep at the end. */
  private static int graphs(String history) {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE).withWindow(10);
    Checker checker = new Checker(config, NOBODY);
    long line = 0;
    for (TransactionRecord record : Dsl.history(history)) {
      checker.accept(line, line, record);
      line++;
    }
    int[] graphs = new int[1];
    checker
        .cut(
            work -> {
              graphs[0]++;
              work.run();
              return () -> {};
            })
        .write(chunk -> {});
    return graphs[0];
  }

  private static boolean timed(List<TransactionRecord> history) {
    return CheckRun.inputs(history).stream()
        .allMatch(t -> t.outcome() != Outcome.COMMITTED || t.times().orderable());
  }

  /**
   * Without times, or by clocks that are not compared, nobody can tell that a serializable history
   * is strictly so.
   */
  static Verdict verdict(
      CheckRun run,
      boolean satisfied,
      IsolationLevel level,
      List<TransactionRecord> history,
      boolean comparesClocks) {
    if (!satisfied) {
      return Verdict.FAIL;
    }
    return level != IsolationLevel.STRICT_SERIALIZABLE
            || (timed(history) && (comparesClocks || clocks(history) < 2))
        ? AgainstNaiveTest.passed(run)
        : Verdict.UNDECIDED;
  }

  private static long clocks(List<TransactionRecord> history) {
    return history.stream()
        .filter(t -> t.outcome() == Outcome.COMMITTED)
        .map(TransactionRecord::clock)
        .distinct()
        .count();
  }
}
