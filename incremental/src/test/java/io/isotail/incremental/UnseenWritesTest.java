package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Outcome;
import org.junit.jupiter.api.Test;

/**
 * What a trigger, a cascade or somebody who is not captured wrote, known from the ids of versions
 * that others read. Capture begins at id {@value #BEGIN}.
 */
final class UnseenWritesTest extends WritersByName {
  private static final CheckerConfig OPEN = CheckerConfig.forLive("h");
  private static final long BEGIN = 1000;
  private static final long BEFORE = 500;
  private static final long EPOCH = 1L << 32;
  private static final long FOREIGN = 1007;

  @Test
  void whoReadsWhatATriggerWroteHasReadFromItsTransaction() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().read(8, 1001).write(9, 1002));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
  }

  @Test
  void whoSeesTheTriggersRowAndNotTheOtherHasAFracturedRead() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
  }

  /** Nobody knows of the trigger's write yet when the row is read without it. */
  @Test
  void aFracturedReadIsFoundLaterToo() {
    for (int disturbances = 0; disturbances < 2; disturbances++) {
      CheckRun run = start(OPEN, BEGIN);
      if (disturbances > 0) {
        committed(run, 5, 0, ops().write(70, 1020).write(71, 1020));
        committed(run, 6, 0, ops().read(71, BEFORE).read(70, 1020));
      }
      committed(run, 1, 0, ops().write(7, 1001));
      committed(run, 2, 0, ops().read(8, BEFORE).read(7, 1001));
      beat(run);
      assertThat(run.anomalies).hasSize(disturbances);
      committed(run, 3, 0, ops().read(8, 1001));
      beat(run);
      assertThat(run.anomalies)
          .hasSize(disturbances + 1)
          .extracting(Anomaly::kind)
          .containsOnly(AnomalyKind.FRACTURED_READ);
    }
  }

  @Test
  void aTriggersUpdateIsLostLikeAnyOther() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(8, BEFORE).write(7, 1001));
    committed(run, 2, 0, ops().read(8, BEFORE).write(8, 1002));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    committed(run, 3, 0, ops().read(8, 1001));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    committed(run, 1, 1, ops().read(8, 1002).write(8, 1010));
    committed(run, 2, 1, ops().read(8, 1010));
    beat(run);
    assertThat(run.anomalies).hasSize(1);
  }

  @Test
  void theVersionOfAWriteThatWasNotSeenIsKnownFromARead() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001).writeUnknown(8));
    committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
  }

  @Test
  void whatATransactionReadsOfItsOwnTriggerIsItsOwn() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(8, BEFORE).write(7, 1001).read(8, 1001));
    committed(run, 2, 0, ops().read(8, BEFORE).write(8, 1002));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    assertThat(run.report.coverage()).isOne();
  }

  @Test
  void allThatAnIdWroteIsOfOneTransactionThatNobodyCaptured() {
    ranAt = "postgresql:repeatable-read";
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(9, 1001));
    committed(run, 2, 0, ops().read(8, BEFORE).read(7, FOREIGN));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    committed(run, 3, 0, ops().read(8, FOREIGN).read(6, FOREIGN));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
    committed(run, 4, 0, ops().read(6, BEFORE).read(7, FOREIGN));
    beat(run);
    assertThat(run.anomalies)
        .hasSize(2)
        .extracting(Anomaly::kind)
        .containsOnly(AnomalyKind.FRACTURED_READ);
  }

  /** Which of its two writes came last is not known. */
  @Test
  void nothingFollowsWhereTheKeyWasWrittenUnderAnotherIdToo() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001).write(8, 1002));
    committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001));
    beat(run);
    assertThat(run.report.verdicts().get(IsolationLevel.SERIALIZABLE)).isNotEqualTo(Verdict.PASS);
    assertThat(run.anomalies).isEmpty();
  }

  /** After a crash an id is given out again. */
  @Test
  void whoWasNotAcknowledgedIsNotTheWriterOfMoreThanWasSeen() {
    for (Outcome outcome : new Outcome[] {Outcome.UNKNOWN, Outcome.ABORTED}) {
      CheckRun run = start(OPEN, BEGIN);
      ended(run, 1, 0, outcome, ops().write(7, 1001));
      committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001));
      beat(run);
      assertThat(run.anomalies).isEmpty();
      assertThat(run.report.verdicts())
          .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.UNDECIDED);
    }
  }

  @Test
  void anIdThatTwoTransactionsShowedIsOfNeither() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 3, 0, ops().write(6, 1001));
    committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001).read(6, BEFORE));
    beat(run);
    assertThat(run.anomalies).isEmpty();
  }

  /** A row may have been written under the same 32 bits long ago. */
  @Test
  void nothingFollowsFromTheSecondEpochOn() {
    CheckRun run = start(OPEN, EPOCH + BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001));
    committed(run, 2, 1, ops().read(10, FOREIGN).read(11, BEFORE));
    committed(run, 2, 2, ops().read(11, FOREIGN));
    beat(run);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void aWriterThatHasLeftTheWindowIsStillKnown() {
    CheckRun run = start(OPEN.withWindow(2), BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    for (int i = 0; i < 4; i++) {
      committed(run, 2, i, ops().write(9, 1010 + i));
    }
    beat(run);
    committed(run, 3, 0, ops().read(8, 1001));
    beat(run);
    assertThat(run.report.readsDecided()).isOne();
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.UNKNOWN_WRITER);
  }

  @Test
  void aReaderThatComesFirstWaitsForTheWriter() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 2, 0, ops().read(7, BEFORE).read(8, 1001));
    committed(run, 1, 0, ops().write(7, 1001));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
  }

  @Test
  void twoThatReadEachOthersUnseenWritesAreACycle() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(18, 1002).write(7, 1001));
    committed(run, 2, 0, ops().read(8, 1001).write(17, 1002));
    beat(run);
    run.finish();
    assertThat(run.anomalies).hasSize(1);
    assertThat(run.anomalies.get(0).level()).isEqualTo(IsolationLevel.READ_COMMITTED);
  }

  @Test
  void aWriterWhoComesLateWasStoodForAndPutsTheWindowInDoubt() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(9, 1001));
    committed(run, 2, 0, ops().read(7, FOREIGN));
    beat(run);
    committed(run, 3, 0, ops().write(6, FOREIGN));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts().get(IsolationLevel.SNAPSHOT_ISOLATION))
        .isEqualTo(Verdict.UNDECIDED);
  }

  /** A row that a captured transaction wrote long ago is not somebody else's. */
  @Test
  void whoeverWasCapturedIsNotTakenForForeignHoweverLongAgo() {
    CheckRun run = start(OPEN.withWindow(2).withRetired(2), BEGIN);
    for (int i = 0; i < 20; i++) {
      committed(run, 1, i, ops().write(100 + i, 1001 + i));
    }
    beat(run);
    committed(run, 2, 0, ops().read(100, 1001));
    committed(run, 2, 1, ops().read(101, 1005).read(102, 1003));
    beat(run);
    assertThat(run.report.readsForeign()).isZero();
    assertThat(run.report.readsDecided()).isEqualTo(3);
    assertThat(run.anomalies).isEmpty();
  }

  /** After a crash an id is given out again: then it proves nothing of either transaction. */
  @Test
  void anIdThatIsShownAgainLongAfterIsOfNobody() {
    CheckRun run = start(OPEN.withWindow(2).withRetired(2), BEGIN);
    for (int i = 0; i < 20; i++) {
      committed(run, 1, i, ops().write(100 + i, 1001 + i));
    }
    committed(run, 1, 20, ops().write(7, 1001));
    committed(run, 2, 0, ops().read(8, 1001));
    beat(run);
    assertThat(run.report.readsDecided()).isZero();
    assertThat(run.anomalies).isEmpty();
  }

  /**
   * By its time the first reader of both keys comes after all others, and it leaves the window
   * first: that the two others read them too counts all the same when their writes become known.
   */
  @Test
  void aWriteSkewIsFoundWhereAReaderThatCameLaterHasLeftTheWindow() {
    CheckerConfig config =
        CheckerConfig.forLive("h")
            .withOutsiders(false)
            .withPromise(IsolationLevel.SERIALIZABLE)
            .withWindow(4);
    for (long firstEndNs : new long[] {5, 1_000_000}) {
      CheckRun run = start(config, 1_000);
      ended(run, 3, 0, Outcome.COMMITTED, firstEndNs, ops().read(8, 500).read(9, 500));
      beat(run);
      ended(run, 1, 0, Outcome.COMMITTED, 10, ops().read(9, 500).write(7, 1_001));
      beat(run);
      ended(run, 2, 0, Outcome.COMMITTED, 20, ops().read(8, 500).write(6, 1_002));
      beat(run);
      ended(run, 4, 0, Outcome.COMMITTED, 30, ops().read(80, 500));
      beat(run);
      ended(run, 4, 1, Outcome.COMMITTED, 40, ops().read(80, 500));
      beat(run);
      ended(run, 5, 0, Outcome.COMMITTED, 50, ops().read(8, 1_001).read(9, 1_002));
      beat(run);
      beat(run);
      assertThat(run.anomalies)
          .as("first one ended at %d", firstEndNs)
          .extracting(Anomaly::kind)
          .containsExactly(AnomalyKind.WRITE_SKEW);
    }
  }
}
