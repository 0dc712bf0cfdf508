package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * As long as a strong level holds over all of the window the weak ones need no edges, though the
 * order of delivery is no commit order; and what violates them after that is found all the same.
 */
final class SparedLevelsTest {
  /** b committed before a, and comes after it: c has read both. */
  private static final String OUT_OF_ORDER = "a: wx1 ; b: wx2 wy2 ; c: ry2 rx1";

  @Test
  void noEdgesAreInferredWhileAStrongLevelHolds() {
    assertThat(check(IsolationLevel.CAUSAL, OUT_OF_ORDER).report.edgesInferred()).isPositive();
    CheckRun run = check(IsolationLevel.SERIALIZABLE, OUT_OF_ORDER + " ; d: rx1 wx3 ; a: rx3");
    assertThat(run.report.edgesInferred()).isZero();
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.PASS);
  }

  @Test
  void aWeakViolationIsFoundAfterThat() {
    for (String last : new String[] {"c: rx2", "d: rx1 ; d: ry2 rx2", "e: ry2 ; e: rx0"}) {
      String history = OUT_OF_ORDER + " ; " + last;
      CheckRun strong = check(IsolationLevel.SERIALIZABLE, history);
      CheckRun weak = check(IsolationLevel.CAUSAL, history);
      assertThat(weak.anomalies).as(history).isNotEmpty();
      assertThat(strong.anomalies)
          .as(history)
          .extracting(a -> a.level())
          .containsExactlyElementsOf(weak.anomalies.stream().map(a -> a.level()).toList());
    }
  }

  @Test
  void whatStandsAloneAfterTheViolationIsNotHeldAgainstTheWeakLevels() {
    CheckRun run = check(IsolationLevel.SERIALIZABLE, OUT_OF_ORDER + " ; d: rx1 wx3 ; e: rx1 wx4");
    Map<IsolationLevel, Verdict> verdicts = run.report.verdicts();
    assertThat(verdicts.get(IsolationLevel.CAUSAL)).isEqualTo(Verdict.PASS);
    assertThat(verdicts.get(IsolationLevel.SNAPSHOT_ISOLATION)).isEqualTo(Verdict.FAIL);
    assertThat(run.report.edgesInferred()).isPositive();
  }

  @Test
  void nothingIsInferredAnyMoreOnceAViolationHasLeftTheWindow() {
    CheckRun run =
        new CheckRun(CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE).withWindow(12));
    List<Long> inferred = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      if (i == 5) {
        feed(run, "p: wk1 ; q: rk1 wk2 ; s: rk1 wk3");
      }
      feed(run, OUT_OF_ORDER.replaceAll("([xy])([12])", "$1" + i + "$2"));
      inferred.add(run.report.edgesInferred());
    }
    assertThat(inferred.get(4)).isZero();
    assertThat(inferred.get(7)).isPositive();
    assertThat(inferred.get(29)).isEqualTo(inferred.get(15));
    assertThat(run.anomalies).hasSize(1);
  }

  @Test
  void whatLeftMeanwhileCountsAsDroppedForWhoWasPromisedLess() {
    CheckerConfig config =
        CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE)
            .withWindow(3)
            .withPromises(Map.of("causal", IsolationLevel.CAUSAL));
    CheckRun run = new CheckRun(config);
    feed(run, "t: wx1 ; u: wx2 wy2 wk2 ; r: ry2 rx1 ; s: rx1 wk1 wm1");
    assertThat(run.report.edgesInferred()).isZero();
    for (TransactionRecord last : Dsl.history("w: rm1 rk2")) {
      run.accept(
          0,
          new TransactionRecord(
              last.session(),
              last.sequence(),
              last.transaction(),
              0,
              last.outcome(),
              "causal",
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              last.operations()));
    }
    assertThat(run.report.edgesDropped()).isPositive();
  }

  private final Map<Long, Long> sequences = new HashMap<>();

  /** The transactions of a history, as the next ones of their sessions. */
  private void feed(CheckRun run, String history) {
    for (TransactionRecord t : Dsl.history(history)) {
      long sequence = sequences.merge(t.session().id(), 1L, Long::sum) - 1;
      run.accept(
          0,
          new TransactionRecord(
              t.session(),
              sequence,
              sequence + 1,
              0,
              t.outcome(),
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              t.operations()));
    }
  }

  private static CheckRun check(IsolationLevel strongest, String history) {
    return CheckRun.of(CheckerConfig.forFile("h", strongest), Dsl.history(history));
  }
}
