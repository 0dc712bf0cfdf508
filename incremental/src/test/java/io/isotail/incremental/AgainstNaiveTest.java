package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The kernel against the definitions, on random small histories. */
final class AgainstNaiveTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(IsolationLevel::isWeak).toList();

  @Test
  void verdictsEqualTheDefinitionsInAnyArrivalOrder() {
    int[] passed = new int[LEVELS.size()];
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = ReplacedVersionsIn.of(RandomHistory.of(seed), seed);
      for (int order = 0; order < 3; order++) {
        List<TransactionRecord> arrival =
            order == 0 ? history : RandomHistory.shuffled(history, seed * 31 + order);
        CheckRun run =
            CheckRun.of(CheckerConfig.forFile("h", IsolationLevel.strongestWeak()), order, arrival);
        for (IsolationLevel level : LEVELS) {
          boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
          passed[level.ordinal()] += expected ? 1 : 0;
          assertThat(run.report.verdicts().get(level))
              .as(
                  "seed %d, order %d, %s%n%s%n%s",
                  seed, order, level, RandomHistory.describe(arrival), run.anomalies)
              .isEqualTo(expected ? passed(run) : Verdict.FAIL);
        }
        checkCapsules(run, seed, arrival);
        assertThat(run.report.readsDecided())
            .as("seed %d %s%n%s", seed, run.report, RandomHistory.describe(arrival))
            .isEqualTo(run.report.reads());
      }
    }
    System.out.printf(
        "seeds %d to %d: %s of %d runs pass at %s%n",
        FIRST_SEED,
        FIRST_SEED + HISTORIES - 1,
        java.util.Arrays.toString(passed),
        3 * HISTORIES,
        LEVELS);
    for (int count : passed) {
      assertThat(count).isBetween(3 * HISTORIES / 20, 3 * HISTORIES * 19 / 20);
    }
  }

  /** Long enough for keys with many writers, and for violations far apart. */
  @Test
  void verdictsOfLongerHistoriesEqualTheDefinitions() {
    int passed = 0;
    int histories = Math.max(30, HISTORIES / 200);
    for (long seed : RandomHistory.seeds(FIRST_SEED, histories)) {
      List<TransactionRecord> history = RandomHistory.of(seed, 40 + (int) (seed % 20));
      CheckRun run =
          CheckRun.of(
              CheckerConfig.forFile("h", IsolationLevel.strongestWeak()),
              seed,
              RandomHistory.shuffled(history, seed));
      for (IsolationLevel level : LEVELS) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        passed += expected ? 1 : 0;
        assertThat(run.report.verdicts().get(level))
            .as("seed %d at %s%n%s", seed, level, RandomHistory.describe(history))
            .isEqualTo(expected ? passed(run) : Verdict.FAIL);
      }
    }
    assertThat(passed).isBetween(histories / 10, 3 * histories - histories / 10);
  }

  /** What is said of a level that nothing violates. */
  static Verdict passed(CheckRun run) {
    return run.report.transactions() == 0 ? Verdict.NOT_CHECKED : Verdict.PASS;
  }

  @Test
  void eachLevelAloneGivesTheSameVerdict() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES / 10)) {
      List<TransactionRecord> history = RandomHistory.of(seed, seed % 10 == 0 ? 40 : 0);
      for (IsolationLevel level : LEVELS) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        CheckRun alone =
            CheckRun.of(
                CheckerConfig.forFile("h", level),
                seed / 2,
                seed % 2 == 0 ? history : RandomHistory.shuffled(history, seed));
        assertThat(alone.report.verdicts().get(level))
            .as("seed %d at %s%n%s", seed, level, RandomHistory.describe(history))
            .isEqualTo(expected ? passed(alone) : Verdict.FAIL);
        checkCapsules(alone, seed, history);
      }
    }
  }

  @Test
  void eachLevelAloneInAWindowRaisesNoFalseAlarmAndPassesNothingElse() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES / 10)) {
      List<TransactionRecord> history = RandomHistory.shuffled(RandomHistory.of(seed), seed);
      for (IsolationLevel level : LEVELS) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        CheckRun alone =
            new CheckRun(CheckerConfig.forFile("h", level).withWindow(2 + (int) (seed % 4)), seed);
        Cuts.of(alone, history, new Cuts(history, -1))
            .justify(
                alone,
                level,
                expected,
                "seed %d at %s%n%s".formatted(seed, level, RandomHistory.describe(history)));
        checkCapsules(alone, seed, history);
      }
    }
  }

  /** With so many sessions that those of the random history have no numbers in clocks. */
  @Test
  void sessionsBeyondTheNumberedSlotsChangeNothing() {
    List<TransactionRecord> others = RandomHistory.ofOtherSessions(130);
    int passed = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES / 4)) {
      List<TransactionRecord> history =
          RandomHistory.shuffled(RandomHistory.of(seed, seed % 20 == 0 ? 40 : 0), seed);
      CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.strongestWeak());
      CheckRun run = new CheckRun(config, seed);
      others.forEach(record -> run.accept(0, record));
      history.forEach(record -> run.accept(0, record));
      run.finish();
      assertThat(run.report.liveSessions()).isGreaterThan(others.size());
      for (IsolationLevel level : LEVELS) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        passed += expected ? 1 : 0;
        assertThat(run.report.verdicts().get(level))
            .as("seed %d at %s%n%s", seed, level, RandomHistory.describe(history))
            .isEqualTo(expected ? Verdict.PASS : Verdict.FAIL);
      }
      if (seed % 10 == 0) {
        List<byte[]> saved = new ArrayList<>();
        run.checker.save(saved::add);
        Iterator<byte[]> chunks = saved.iterator();
        Checker restored =
            Checker.restore(
                config,
                run,
                CheckRun.TUNINGS.get((int) (seed % CheckRun.TUNINGS.size())),
                () -> chunks.hasNext() ? chunks.next() : null);
        assertThat(SameState.difference(run.checker, restored)).as("seed %d", seed).isNull();
      }
    }
    assertThat(passed).isGreaterThan(HISTORIES / 10);
  }

  @Test
  void aWindowNeverRaisesAFalseAlarm() {
    int found = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history =
          RandomHistory.shuffled(ReplacedVersionsIn.of(RandomHistory.of(seed), seed), seed);
      int window = 2 + (int) (seed % 4);
      CheckRun run =
          new CheckRun(
              CheckerConfig.forFile("h", IsolationLevel.strongestWeak()).withWindow(window), seed);
      Cuts cuts = Cuts.of(run, history, new Cuts(history, -1));
      checkCapsules(run, seed, history);
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
  void theSameLogGivesTheSameIds() {
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES / 10)) {
      List<TransactionRecord> history = RandomHistory.of(seed);
      CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.strongestWeak());
      assertThat(CheckRun.of(config, history).anomalies)
          .isEqualTo(CheckRun.of(config, history).anomalies);
    }
  }

  /** Each capsule violates its level by itself, and no longer so without any one transaction. */
  static void checkCapsules(CheckRun run, long seed, List<TransactionRecord> history) {
    checkCapsules(run, seed, history, -1);
  }

  /** Checks capsules with a bound in ns on how far two clocks are apart; none if negative. */
  static void checkCapsules(
      CheckRun run, long seed, List<TransactionRecord> history, long uncertaintyNs) {
    checkProofs(run, seed, history, uncertaintyNs);
    assertAllProven(run, seed, history);
  }

  /** Checks capsules where what has left the window may be missing for a proof. */
  static void checkProofs(
      CheckRun run, long seed, List<TransactionRecord> history, long uncertaintyNs) {
    Set<String> ids = new HashSet<>();
    for (Anomaly anomaly : run.anomalies) {
      assertThat(ids.add(anomaly.id())).as("id reported twice, seed %d", seed).isTrue();
      if (anomaly.kind() == AnomalyKind.THIN_AIR_READ) {
        assertThat(anomaly.evidence()).isNotNull();
        continue;
      }
      List<NaiveChecker.Input> capsule = new ArrayList<>();
      for (CapsuleTransaction t : anomaly.capsule()) {
        capsule.add(
            new NaiveChecker.Input(
                t.session().id(), t.position(), t.outcome(), t.times(), t.operations()));
      }
      String message = "seed %d%n%s%n%s".formatted(seed, RandomHistory.describe(history), anomaly);
      assertThat(NaiveChecker.satisfies(capsule, anomaly.level(), false, uncertaintyNs))
          .as(message)
          .isFalse();
      for (int i = 0; i < capsule.size(); i++) {
        List<NaiveChecker.Input> less = new ArrayList<>(capsule);
        less.remove(i);
        assertThat(NaiveChecker.satisfies(less, anomaly.level(), false, uncertaintyNs))
            .as(message)
            .isTrue();
      }
    }
  }

  /** With everything in the window, whatever is found is proven. */
  private static void assertAllProven(CheckRun run, long seed, List<TransactionRecord> history) {
    assertThat(run.report.undecided())
        .as("seed %d%n%s%n%s", seed, RandomHistory.describe(history), run.anomalies)
        .doesNotContainKey(io.isotail.incremental.anomaly.UndecidedReason.UNPROVEN);
  }
}
