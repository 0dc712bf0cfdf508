package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Serializable transactions beside weaker ones. Session {@code r} runs at read committed, unless
 * the test says otherwise; PostgreSQL lets each of these histories happen that is not a violation.
 */
class MixedPromisesTest {
  private static final IsolationLevel LEVEL = IsolationLevel.SERIALIZABLE;

  @ParameterizedTest
  @ValueSource(
      strings = {
        // c overwrites what r wrote, and not what a has read.
        "s: wx1 wy2 ; r: wx10 ; c: rx10 ry2 wx11 ; a: rx1 ry2 wy12",
        // a comes first.
        "s: wx1 wy2 ; r: wx10 ; a: rx1 ry2 wy12 ; c: rx10 ry2 wx11",
        // Nobody says what c has overwritten.
        "s: wx1 wy2 ; r: wx10 ; c: ry2 wx11 ; a: rx1 ry2 wy12",
        // The row was missing, and r inserted it.
        "s: wy2 ; r: wx10 ; c: rx10 ry2 wx11 ; a: rx0 ry2 wy12",
        // Another serializable one has overwritten in between.
        "s: wx1 wy2 ; r: wx10 ; b: rx10 wx20 ; c: rx20 ry2 wx11 ; a: rx1 ry2 wy12",
      })
  void whatAWeakerOneWroteBetweenIsNoViolation(String history) {
    CheckRun run = check(history, "read-committed");
    assertThat(run.anomalies).as(history).isEmpty();
    assertThat(run.report.verdicts().get(LEVEL)).isEqualTo(Verdict.NOT_CHECKED);
    assertThat(run.report.levels().get(LEVEL).doubts())
        .containsOnlyKeys(UndecidedReason.WEAKER_WRITER);
    assertThat(check(history, "serializable").report.verdicts().get(LEVEL))
        .as("where all are serializable: %s", history)
        .isEqualTo(Verdict.FAIL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s: wx1 wy2 ; r: wz10 ; c: rx1 ry2 wx11 ; a: rx1 ry2 wy12",
        "s: wx1 wy2 ; r: rx1 wz10 ; c: ry2 wx11 ; a: rx1 ry2 wy12",
        "r: wx9 ; s: rx9 wx1 wy2 ; c: rx1 ry2 wx11 ; a: rx1 ry2 wy12",
        "s: wx1 wy2 ; b: rx1 wx20 ; r: wz10 ; c: rx20 ry2 wx11 ; a: rx1 ry2 wy12",
      })
  void aWeakerOneThatWroteElsewhereExcusesNothing(String history) {
    CheckRun run = check(history, "read-committed");
    assertThat(run.anomalies).as(history).hasSize(1);
    assertThat(run.anomalies.get(0).level()).isEqualTo(LEVEL);
    assertThat(run.report.levels().get(LEVEL).doubts())
        .doesNotContainKey(UndecidedReason.WEAKER_WRITER);
  }

  @Test
  void snapshotsAreHeldToThemselvesWhoeverWroteBetween() {
    CheckRun run =
        check("s: wx1 wy2 ; r: wx10 ; c: rx10 ry2 wx11 wy13 ; a: rx1 ry13 wz12", "read-committed");
    assertThat(run.anomalies).extracting(Anomaly::kind).doesNotContain(AnomalyKind.WRITE_SKEW);
    assertThat(run.anomalies).isNotEmpty();
    assertThat(run.report.verdicts().get(IsolationLevel.SNAPSHOT_ISOLATION))
        .isEqualTo(Verdict.FAIL);
  }

  private static CheckRun check(String text, String levelOfR) {
    List<TransactionRecord> history =
        Dsl.history(text).stream()
            .map(t -> ranAt(t, t.session().name().equals("r") ? levelOfR : LEVEL.label()))
            .toList();
    return CheckRun.of(CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE), history);
  }

  private static TransactionRecord ranAt(TransactionRecord t, String level) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        0,
        t.outcome(),
        level,
        t.beginNs(),
        t.endNs(),
        null,
        t.operations());
  }
}
