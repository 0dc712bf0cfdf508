package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One golden history for each anomaly that these levels can see. */
final class AnomalyKindsTest {
  private static final CheckerConfig CONFIG =
      CheckerConfig.forFile("golden", IsolationLevel.CAUSAL);

  static Stream<Arguments> golden() {
    return Stream.of(
        arguments(
            AnomalyKind.THIN_AIR_READ,
            null,
            IsolationLevel.READ_COMMITTED,
            "a: rx9",
            "a/1 read x=9, a version that nobody wrote."),
        arguments(
            AnomalyKind.ABORTED_READ,
            "G1a",
            IsolationLevel.READ_COMMITTED,
            "a!: wx1 ; b: rx1",
            "b/1 read x=1, which a/1 wrote and then aborted."),
        arguments(
            AnomalyKind.FUTURE_READ,
            null,
            IsolationLevel.READ_COMMITTED,
            "a: rx1 wx1",
            "a/1 read x=1 before it wrote that version itself."),
        arguments(
            AnomalyKind.NOT_MY_LAST_WRITE,
            null,
            IsolationLevel.READ_COMMITTED,
            "a: wx1 wx2 rx1",
            "a/1 read x=1 although it had itself overwritten that version: a/1 had written x=2."),
        arguments(
            AnomalyKind.NOT_MY_OWN_WRITE,
            null,
            IsolationLevel.READ_COMMITTED,
            "a: wx1 ; b: wx2 rx1",
            "b/1 read x=1 from a/1 although it had written the key itself: b/1 had written x=2."),
        arguments(
            AnomalyKind.INTERMEDIATE_READ,
            "G1b",
            IsolationLevel.READ_COMMITTED,
            "a: wx1 wx2 ; b: rx1",
            "b/1 read x=1 from a/1, which had overwritten that version before it committed."),
        arguments(
            AnomalyKind.NON_REPEATABLE_READS,
            "G-single",
            IsolationLevel.READ_ATOMIC,
            "a: wx1 ; b: rx1 wx2 ; c: rx1 rx2",
            "c/1 read x twice and got two versions: first 1 from a/1, then 2 from b/1."),
        arguments(
            AnomalyKind.SESSION_GUARANTEE_VIOLATION,
            "G-single-session",
            IsolationLevel.READ_ATOMIC,
            "a: wx1 ; b: rx1 wx2 ; b: rx1",
            "b/2 read x=1 from a/1 although b/1, earlier in the same session,"
                + " had overwritten it with x=2."),
        arguments(
            AnomalyKind.NON_MONOTONIC_READ,
            "G-single",
            IsolationLevel.READ_COMMITTED,
            "a: wx1 ; b: rx1 wx2 wy3 ; c: ry3 rx1",
            "c/1 read x=1 from a/1 although b/1, from which it also read y=3,"
                + " had overwritten it with x=2."),
        arguments(
            AnomalyKind.FRACTURED_READ,
            "G-single",
            IsolationLevel.READ_ATOMIC,
            "a: wx1 ; b: rx1 wx2 wy3 ; c: rx1 ry3",
            "c/1 read x=1 from a/1 although b/1, from which it also read y=3,"
                + " had overwritten it with x=2."),
        arguments(
            AnomalyKind.CAUSALITY_VIOLATION,
            "G-single-session",
            IsolationLevel.CAUSAL,
            "a: wx1 ; b: rx1 wx2 ; c: rx2 ; c: rx1",
            "c/2 read x=1 from a/1 although b/1, which it had already observed through c/1, which read"
                + " x=2, had overwritten it with x=2."),
        arguments(
            AnomalyKind.CAUSALITY_VIOLATION,
            "G-single",
            IsolationLevel.CAUSAL,
            "a: wx1 ; b: rx1 wx2 ; c: rx2 wy3 ; d: rx1 ry3",
            "d/1 read x=1 from a/1 although b/1, which it had already observed through c/1, which read"
                + " x=2, had overwritten it with x=2."),
        arguments(
            AnomalyKind.CAUSALITY_CYCLE,
            "G1c",
            IsolationLevel.READ_COMMITTED,
            "a: rx2 wy1 ; b: ry1 wx2",
            "Each of these happened before the next, in a circle: "),
        arguments(
            AnomalyKind.CAUSALITY_VIOLATION,
            "G-single",
            IsolationLevel.CAUSAL,
            "a: wx1 wy1 ; b: wx2 wy2 ; c: rx1 wz1 ; d: rx2 wu1 ; e: rz1 rx2 ; f: ru1 ry1 wv1",
            "f/1 read y=1 from a/1 although b/1, which it had already observed through d/1, which read"
                + " x=2, wrote y=2, most likely later. If b/1 commits before a/1 instead: e/1 read x=2"
                + " from b/1 although it had observed a/1, which writes x too."));
  }

  @ParameterizedTest
  @MethodSource("golden")
  void eachAnomalyIsNamedAndExplained(
      AnomalyKind kind, String adya, IsolationLevel level, String text, String explanation) {
    List<TransactionRecord> history = Dsl.history(text);
    CheckRun run = CheckRun.of(CONFIG, history);
    assertThat(run.anomalies).hasSize(1);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.kind()).isEqualTo(kind);
    assertThat(anomaly.adya()).isEqualTo(adya);
    assertThat(anomaly.level()).isEqualTo(level);
    assertThat(anomaly.explanation()).startsWith(explanation);
    for (IsolationLevel each : run.report.verdicts().keySet()) {
      assertThat(run.report.verdicts().get(each))
          .isEqualTo(each.atLeast(level) ? Verdict.FAIL : Verdict.PASS);
    }
    AgainstNaiveTest.checkCapsules(run, 0, history);
  }

  @Test
  void aRepeatedObservationRaisesOccurrencesAndNothingElse() {
    CheckRun run =
        CheckRun.of(
            CONFIG, Dsl.history("a: wx1 ; b: rx1 wx2 wy3 ; c: rx1 ry3 ; d: rx1 ry3 ; e: rx1 ry3"));
    assertThat(run.anomalies).hasSize(1);
    assertThat(run.occurrences.values()).containsExactly(3L);
    assertThat(run.report.occurrences()).isEqualTo(3);
  }

  @Test
  void checkingGoesOnAfterAnAnomaly() {
    CheckRun run =
        CheckRun.of(
            CONFIG,
            Dsl.history(
                "a: wx1 ; b: rx1 wx2 wy3 ; c: rx1 ry3 ; a: wu1 ; b: ru1 wu2 wv3 ; c: rv3 ru1"));
    assertThat(run.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.FRACTURED_READ, AnomalyKind.NON_MONOTONIC_READ);
  }

  @Test
  void anUnknownTransactionCommittedIfItsWriteWasRead() {
    CheckRun read = CheckRun.of(CONFIG, Dsl.history("a: wx1 ; b?: rx1 wx2 ; c: rx2 ; c: rx1"));
    assertThat(read.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.CAUSALITY_VIOLATION);
    CheckRun unread = CheckRun.of(CONFIG, Dsl.history("a: wx1 ; b?: rx1 wx2 ; c: rx1 ; c: rx1"));
    assertThat(unread.anomalies).isEmpty();
    assertThat(unread.report.unknown()).isEqualTo(1);
    assertThat(unread.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.PASS);
  }
}
