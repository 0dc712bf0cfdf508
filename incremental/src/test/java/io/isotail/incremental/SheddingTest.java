package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Levels that are not checked for a time, because a control record says so. */
final class SheddingTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final CheckerConfig SERIALIZABLE =
      CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE);
  private static final String LOST_UPDATE = "a: wx1 ; b: rx1 wx2 ; c: rx1 wx3";
  private static final String LOST_UPDATE_LATER = "d: wy1 ; e: ry1 wy2 ; f: ry1 wy3";

  @Test
  void whatIsShedIsNeitherReportedNorPassed() {
    CheckRun run = new CheckRun(SERIALIZABLE);
    run.accept(0, level(IsolationLevel.CAUSAL));
    Dsl.history(LOST_UPDATE).forEach(t -> run.accept(0, t));
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.checked()).isEqualTo(IsolationLevel.CAUSAL);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.CAUSAL, Verdict.PASS)
        .containsEntry(IsolationLevel.PREFIX, Verdict.UNDECIDED)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.UNDECIDED);
    assertThat(run.report.coverage()).isZero();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.SHED, 3L);

    run.accept(0, level(IsolationLevel.STRICT_SERIALIZABLE));
    assertThat(run.report.checked()).isEqualTo(IsolationLevel.SERIALIZABLE);
    Dsl.history(LOST_UPDATE_LATER).forEach(t -> run.accept(0, t));
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.SHED, 3L);
    assertThat(run.report.badRecords()).isZero();
  }

  @Test
  void weakLevelsAreStillChecked() {
    CheckRun run = new CheckRun(SERIALIZABLE);
    run.accept(0, level(IsolationLevel.CAUSAL));
    Dsl.history("a: wx1 ; a: wx2 ; b: rx2 ; b: rx1").forEach(t -> run.accept(0, t));
    assertThat(run.anomalies).hasSize(1);
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.FAIL);
  }

  @Test
  void whatWasPromisedNoMoreThanIsCheckedIsDecided() {
    CheckRun run = new CheckRun(SERIALIZABLE.withPromise(IsolationLevel.CAUSAL));
    run.accept(0, level(IsolationLevel.CAUSAL));
    Dsl.history(LOST_UPDATE).forEach(t -> run.accept(0, t));
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.SHED);
  }

  @Test
  void aLevelThatCannotBeShedToIsABadRecord() {
    CheckRun run = new CheckRun(SERIALIZABLE);
    run.accept(0, level(IsolationLevel.READ_ATOMIC));
    run.accept(0, new Control(Map.of(Control.LEVEL, "solid")));
    assertThat(run.report.badRecords()).isEqualTo(2);
    assertThat(run.report.checked()).isEqualTo(IsolationLevel.SERIALIZABLE);
  }

  @Test
  void aViolationIsForgottenOnceItHasLeftTheWindow() {
    CheckRun run = new CheckRun(SERIALIZABLE.withWindow(4));
    Dsl.history(LOST_UPDATE).forEach(t -> run.accept(0, t));
    assertThat(run.report.violatedInWindow()).isEqualTo(IsolationLevel.SNAPSHOT_ISOLATION);
    Dsl.history("u: wu1 ; u: wu2 ; u: wu3 ; u: wu4").forEach(t -> run.accept(0, t));
    assertThat(run.report.violatedInWindow()).isNull();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.FAIL);
  }

  @Test
  void anywhereInAHistorySheddingOnlyTurnsStrongVerdictsIntoUndecided() {
    int shed = 0;
    int alarms = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history =
          RandomHistory.shuffled(
              seed % 4 == 0 ? RandomHistory.of(seed) : ConcurrentHistory.of(seed), seed);
      Random random = new Random(seed);
      CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE);
      boolean windowed = seed % 3 == 0;
      CheckRun run = new CheckRun(windowed ? config.withWindow(3) : config, seed);
      Cuts cuts = new Cuts(history, -1);
      for (TransactionRecord t : history) {
        if (random.nextInt(3) == 0) {
          IsolationLevel[] levels = IsolationLevel.values();
          int weakest = IsolationLevel.CAUSAL.ordinal();
          run.accept(0, level(levels[weakest + random.nextInt(levels.length - weakest)]));
          shed++;
        }
        run.accept(0, t);
        cuts.look(run);
      }
      run.finish();
      cuts.look(run);
      AgainstNaiveTest.checkProofs(run, seed, history, -1);
      alarms += run.anomalies.size();
      for (IsolationLevel level : IsolationLevel.values()) {
        boolean expected = NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
        Verdict verdict = run.report.verdicts().get(level);
        String message =
            "seed %d, %s%n%s%n%s"
                .formatted(seed, level, RandomHistory.describe(history), run.anomalies);
        cuts.justify(run, level, expected, message);
        if (!windowed && !level.atLeast(IsolationLevel.PREFIX)) {
          assertThat(verdict)
              .as(message)
              .isEqualTo(expected ? AgainstNaiveTest.passed(run) : Verdict.FAIL);
        }
      }
    }
    assertThat(shed).isGreaterThan(HISTORIES / 2);
    assertThat(alarms).isGreaterThan(HISTORIES / 10);
  }

  private static Control level(IsolationLevel level) {
    return new Control(Map.of(Control.LEVEL, level.label()));
  }
}
