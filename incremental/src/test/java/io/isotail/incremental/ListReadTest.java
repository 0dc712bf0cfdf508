package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What list reads show of the order of versions, and how long. */
final class ListReadTest {
  private static final CheckerConfig FILE = CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE);

  private static CheckRun check(CheckerConfig config, String history) {
    return CheckRun.of(config, Dsl.history(history));
  }

  private static Verdict prefix(CheckRun run) {
    return run.report.verdicts().get(IsolationLevel.PREFIX);
  }

  @Test
  void anAlertSaysWhoseListShowsTheOrder() {
    List<TransactionRecord> history = Dsl.history("a: wx1 ; b: wx2 ; b: wy1 ; c: lx2.1 ry1");
    CheckRun run = CheckRun.of(FILE, history);
    assertThat(prefix(run)).isEqualTo(Verdict.PASS);
    history = Dsl.history("a: wx1 ; a: wx2 ; c: lx2.1");
    run = CheckRun.of(FILE, history);
    assertThat(run.anomalies).hasSize(1);
    assertThat(run.anomalies.get(0).explanation())
        .contains("c/1 read a list of x that puts x=2 of a/2 before x=1 of a/1");
    AgainstNaiveTest.checkCapsules(run, 0, history);
  }

  /**
   * Begin b; a; begin c; begin d; commit b, c, d: each reads its snapshot, and of the two that
   * write x one begins after the other has committed.
   */
  @Test
  void aCycleWhoseAntidependenciesAreNeighboursIsNoViolationOfSnapshotIsolation() {
    List<TransactionRecord> history =
        Dsl.history("a: wx2 ; b: wy1 rx0 ; c: rz0 ry0 wx5 ; d: wz2 lx0.2");
    CheckRun run = CheckRun.of(FILE, history);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.PASS)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.FAIL);
    AgainstNaiveTest.checkCapsules(run, 0, history);
  }

  @Test
  void whatAListShowsCountsWhicheverWriterComesLast() {
    for (String history :
        List.of(
            "a: wx1 wq1 ; b: wx2 wp1 ; t: lx1.2 ; v: rp1 rq0",
            "b: wx2 wp1 ; t: lx1.2 ; v: rp1 rq0 ; a: wx1 wq1",
            "t: lx1.2 ; a: wx1 wq1 ; v: rp1 rq0 ; b: wx2 wp1")) {
      CheckRun run = check(FILE, history);
      assertThat(prefix(run)).as(history).isEqualTo(Verdict.FAIL);
      AgainstNaiveTest.checkCapsules(run, 0, Dsl.history(history));
    }
  }

  /** What stands before the part of a list that was read is nobody's version, be it number 0. */
  @Test
  void thePartThatAListDoesNotShowIsNoVersion() {
    List<TransactionRecord> history =
        new ArrayList<>(Dsl.history("a: wx0 ; b: wx5 ; c: lx0.7 wx7 ; d: lx0.7"));
    long x = history.get(0).operations().key(0);
    Operations own =
        new Operations.Builder()
            .write(x, 7)
            .add(OperationKind.LISTED, x, VersionKind.UNKNOWN, 0)
            .read(x, 7)
            .build();
    Operations whole =
        new Operations.Builder()
            .add(OperationKind.LISTED, x, VersionKind.INITIAL, 0)
            .add(OperationKind.LISTED, x, VersionKind.KNOWN, 0)
            .add(OperationKind.LISTED, x, VersionKind.KNOWN, 5)
            .read(x, 7)
            .build();
    history.set(0, with(history.get(0), new Operations.Builder().write(x, 0).build()));
    history.set(2, with(history.get(2), own));
    history.set(3, with(history.get(3), whole));
    CheckRun run = CheckRun.of(FILE, history);
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.PASS);
    assertThat(run.report.undecided()).isEmpty();
  }

  /** Where a list was deleted, it may begin anew: the first element need not be the first ever. */
  @Test
  void anOwnAppendDoesNotProveThatAListIsComplete() {
    String history = "a: wx9 ; a: dx ; a: wx1 ; t: wx2 lx0.1.2";
    for (boolean closed : new boolean[] {true, false}) {
      CheckRun run = check(FILE.withClosed(closed), history);
      assertThat(run.anomalies).isEmpty();
      assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.UNPROVEN);
    }
  }

  /** Of a transaction that has left the window the last version alone is known. */
  @Test
  void whoWroteAnElementPrecedesItsReaderThoughItsNeighbourHasLeftTheWindow() {
    String history = "a: wx7 wx8 ; b: wy2 ly0.2 ; c: wy4 wx6 ; f: wf1 ; r: lx6.7.8 ly0.2";
    for (int window = 3; window <= 5; window++) {
      assertThat(prefix(check(FILE.withClosed(false).withWindow(window), history)))
          .as("window %d", window)
          .isEqualTo(Verdict.FAIL);
    }
  }

  /** The reader appends an equal element afterwards, so that the version alone is of two. */
  @Test
  void aListShowsTheOrderOfThoseItWasReadFrom() {
    List<TransactionRecord> history =
        Dsl.history("a: wx1 wx2 ; u?: wx3 wx4 ; r: lx0.1.2.3.4 wx3 ; s: wx6 lx0.1.2.6");
    CheckRun run = CheckRun.of(FILE, history);
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.PASS);
    // Not every way of proving it tells the two writers apart.
    assertThat(prefix(run)).isNotEqualTo(Verdict.PASS);
  }

  /**
   * An attempt of unknown outcome and its retry appended an equal element. Snapshot isolation is
   * violated; a witness that shows the retry alone would prove it at prefix.
   */
  @Test
  void aWitnessDoesNotHideWhoElseMayHaveAppendedAnElement() {
    List<TransactionRecord> history =
        Dsl.history(
            "u?: ry0 wx1 wx2 ; u: ly0.4 wx1 ; b: wy4 wx5 wx6 ; b: wx7 lx0.1.2.3.5.6.7 wy8 ;"
                + " c?: lx0.1.2 wx3 ; c: wx3 wx9 ly0.4.8");
    CheckRun run = CheckRun.of(FILE, history);
    assertThat(prefix(run)).as("%s", run.anomalies).isNotEqualTo(Verdict.FAIL);
    assertThat(run.report.verdicts().get(IsolationLevel.SNAPSHOT_ISOLATION))
        .isNotEqualTo(Verdict.PASS);
  }

  /**
   * A transaction read what its session wrote later. Its capsule does not show who else appended an
   * element that it read twice, so that this looks bad in itself.
   */
  @Test
  void aCircleIsNotPassedOverForAReadThatOnlyItsWitnessShowsAsBad() {
    CheckRun run = check(FILE, "a: wx3 wy4 ; a: wy4 ly0.6.4.4 ; a: wy6");
    assertThat(run.report.verdicts().get(IsolationLevel.READ_COMMITTED)).isNotEqualTo(Verdict.PASS);
  }

  /** The attempt turned out to have committed after its session had gone on. */
  @Test
  void whatALateOneReadIsToldAtTheWeakestLevel() {
    CheckRun run = check(FILE, "a: wx4 ; a?: lx0.2 wx6 ; a: wy7 ; b: wx2 ; a: lx0.2.4.6");
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.PASS)
        .containsEntry(IsolationLevel.READ_ATOMIC, Verdict.FAIL);
  }

  /** Who wrote the last element has left the window, unknown; an element before it is read. */
  @Test
  void anElementIsReadThoughTheListIsOfAnUnknownVersion() {
    CheckRun run =
        check(FILE.withWindow(2), "u?: wy5 wx6 ; c: wz1 ; d: wz2 ; a: wx3 wy4 ; r: ly4.5 rx0");
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.READ_COMMITTED, Verdict.FAIL);
  }

  /** The circle is closed by a late one, and the read that looks bad is of one that has gone on. */
  @Test
  void aCircleOfOneThatWasPromotedLateIsNotPassedOver() {
    CheckRun run = check(FILE, "a?: lx0.5 wz1 ; a: wy6 ; c: wy4 ; b: ly0.6.4 wy4 wx5 ; r: rz1");
    assertThat(run.report.verdicts().get(IsolationLevel.READ_COMMITTED)).isNotEqualTo(Verdict.PASS);
  }

  /** Two lists contradict each other in elements that are decided; the last of one is not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "u?: wx6 ; c: wz1 ; d: wz2 ; a: wx1 ; b: wx2 ; r: lx1.2.6 ; s: lx2.1",
        "u?: wx6 ; c: wz1 ; d: wz2 ; a: wx1 wq1 ; b: wx2 wp1 ; v: rp1 rq0 ; r: lx1.2.6"
      })
  void decidedNeighboursShowTheirOrderThoughTheListIsOfAnUnknownVersion(String history) {
    CheckRun run = check(FILE.withWindow(4), history);
    assertThat(prefix(run)).isNotEqualTo(Verdict.PASS);
  }

  @Test
  void aListThatEndsWithinWhatIsKnownIsAPartOfATransaction() {
    CheckRun run = check(FILE, "a: wx1 wx2 ; r: lx0.1.2 ; s: lx0.1");
    assertThat(run.anomalies)
        .singleElement()
        .extracting(Anomaly::kind)
        .isEqualTo(AnomalyKind.INTERMEDIATE_READ);
  }

  private static TransactionRecord with(TransactionRecord t, Operations operations) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        t.chunk(),
        t.outcome(),
        t.ranAt(),
        t.beginNs(),
        t.endNs(),
        t.clock(),
        operations);
  }

  @Test
  void whatTwoListsShowHoldsAsLongAsOneOfThemIsInTheWindow() {
    String history =
        "c: wx3 ; t: lx1.2.3 ; f: wf1 ; f: wf2 ; f: wf3 ; b: wx2 wp1 ; a: wx1 wq1 ; u: lx1.2 ;"
            + " v: rp1 rq0";
    for (int window = 4; window <= 9; window++) {
      assertThat(prefix(check(FILE.withClosed(false).withWindow(window), history)))
          .as("window %d", window)
          .isEqualTo(Verdict.FAIL);
    }
  }

  @Test
  void aListWaitsForTheWritersOfAllItsElements() {
    String history = "b: wx2 ; t: lx1.2 ; f: wf1 ; f: wf2 ; f: wf3 ; b: wx1";
    for (int window = 3; window <= 6; window++) {
      assertThat(prefix(check(FILE.withWindow(window), history)))
          .as("window %d", window)
          .isEqualTo(Verdict.FAIL);
    }
  }

  @Test
  void whereSeveralMayHaveWrittenAVersionListsShowNothing() {
    CheckRun run =
        check(
            FILE.withUniqueVersions(false).withWindow(4),
            "z: wx1 ; f: wf1 ; f: wf2 ; f: wf3 ; p: wx1 wq1 ; b: wx2 wp1 ; t: lx1.2 ; v: rp1 rq0");
    assertThat(run.anomalies).isEmpty();
    assertThat(prefix(run)).isEqualTo(Verdict.UNDECIDED);
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.LIST_ORDER, 1L);
  }
}
