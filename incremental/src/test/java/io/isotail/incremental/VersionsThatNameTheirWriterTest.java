package io.isotail.incremental;

import static io.isotail.incremental.record.OperationKind.READ;
import static io.isotail.incremental.record.VersionKind.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What follows from versions that are the ids of their writers, in an open history of which nothing
 * is declared. Capture begins at id {@value #BEGIN}; lower ones are of before.
 */
final class VersionsThatNameTheirWriterTest extends WritersByName {
  private static final CheckerConfig OPEN = CheckerConfig.forLive("h");
  private static final CheckerConfig CLOSED = OPEN.withClosed(true);
  private static final long BEGIN = 1000;
  private static final long BEFORE = 500;
  private static final String SNAPSHOTS = "postgresql:repeatable-read";
  private static final String STANDBY = "postgresql-standby:repeatable-read";
  private static final long IDS = 1L << 32;

  @Test
  void twoUpdatesOfOneVersionAreALostUpdate() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, BEFORE).write(7, 1001));
    committed(run, 2, 0, ops().read(7, BEFORE).write(7, 1002));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    assertThat(run.anomalies.get(0).explanation()).contains("xmin 500");
    assertThat(run.report.coverage()).isOne();
  }

  /** The application did read the row: nobody knows which version, and so it was not blind. */
  @Test
  void anUpdateWhoseReadIsUndecidedIsNotBlind() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().add(READ, 7, UNKNOWN, 0).write(7, 1001));
    committed(run, 2, 0, ops().read(7, BEFORE).write(7, 1002).replaces(1001));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    assertThat(run.anomalies.get(0).explanation()).doesNotContain("both read");
    CheckRun blind = start(OPEN, BEGIN);
    committed(blind, 1, 0, ops().write(7, 1001).add(READ, 7, UNKNOWN, 0));
    committed(blind, 2, 0, ops().read(7, BEFORE).write(7, 1002).replaces(1001));
    beat(blind);
    assertThat(blind.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.BLIND_LOST_UPDATE);
  }

  /** There the id of a writer is one more than the number of its transaction in the log. */
  @Test
  void aWriterOnMariaDbIsCalledAsItsLogDoes() {
    ranAt = "mariadb:serializable";
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, BEFORE).write(7, 1001));
    committed(run, 2, 0, ops().read(7, BEFORE).write(7, 1002));
    beat(run);
    assertThat(run.anomalies.get(0).explanation())
        .contains("GTID …-499")
        .doesNotContain("xmin", "500");
    assertThat(run.anomalies.get(0).cycle())
        .extracting(CycleEdge::because)
        .anySatisfy(because -> assertThat(because).contains("GTID …-"))
        .noneSatisfy(because -> assertThat(because).contains("xmin"));
  }

  @Test
  void aPartOfWhatOneIdWroteIsAFracturedRead() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001).write(8, 1001));
    committed(run, 2, 0, ops().read(8, BEFORE).read(7, 1001));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.FRACTURED_READ);
  }

  @Test
  void twoWritesThatAreSeenInOppositeOrdersAreALongFork() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().write(8, 1002));
    committed(run, 3, 0, ops().read(7, 1001).read(8, BEFORE));
    committed(run, 4, 0, ops().read(7, BEFORE).read(8, 1002));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LONG_FORK);
  }

  /** It sees commits in the order of the log, which is not the order on the primary. */
  @Test
  void aStandbyAndItsPrimaryMayForkUnlessBothArePromisedMore() {
    for (IsolationLevel promise :
        new @Nullable IsolationLevel[] {null, IsolationLevel.SNAPSHOT_ISOLATION}) {
      ranAt = SNAPSHOTS;
      CheckRun run = start(OPEN.withPromise(promise), BEGIN);
      committed(run, 1, 0, ops().write(7, 1001));
      committed(run, 2, 0, ops().write(8, 1002));
      committed(run, 3, 0, ops().read(7, BEFORE).read(8, 1002));
      ranAt = STANDBY;
      committed(run, 4, 0, ops().read(7, 1001).read(8, BEFORE));
      beat(run);
      assertThat(run.report.coverage()).isOne();
      if (promise == null) {
        assertThat(run.anomalies).isEmpty();
        assertThat(run.report.verdicts())
            .containsEntry(IsolationLevel.CAUSAL, Verdict.PASS)
            .containsEntry(IsolationLevel.PREFIX, Verdict.NOT_CHECKED);
      } else {
        assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LONG_FORK);
      }
    }
  }

  @Test
  void aStandbyThatShowsAnEffectWithoutItsCauseIsAnAnomaly() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().read(7, 1001).write(8, 1002));
    ranAt = STANDBY;
    committed(run, 3, 0, ops().read(7, BEFORE).read(8, 1002));
    beat(run);
    assertThat(run.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.CAUSALITY_VIOLATION);
  }

  @Test
  void whoIsNotCapturedBindsUpToSnapshotIsolationOnAStandbyToo() {
    CheckRun run = start(OPEN.withPromise(IsolationLevel.SERIALIZABLE), BEGIN);
    committed(run, 1, 0, ops().write(8, 1001));
    ranAt = STANDBY;
    committed(run, 2, 0, ops().read(7, 1010));
    beat(run);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.PASS)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.UNDECIDED);
  }

  @Test
  void severalWritesOfATransactionMayShareAVersion() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001).read(7, 1001).write(7, 1001));
    committed(run, 2, 0, ops().read(7, 1001).write(7, 1002));
    committed(run, 1, 1, ops().write(8, 1003).write(8, 1004).undoFrom(1));
    committed(run, 2, 1, ops().read(8, 1003));
    committed(run, 1, 2, ops().write(9, 1005).undoFrom(0).write(9, 1005));
    committed(run, 2, 2, ops().read(9, 1005));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.duplicateVersions()).isZero();
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.PASS, Verdict.NOT_CHECKED);
  }

  /** After a crash the id is given out again. */
  @Test
  void theIdOfAnAbortedWriterProvesNothing() {
    for (CheckerConfig config : new CheckerConfig[] {OPEN, OPEN.withUniqueVersions(true)}) {
      CheckRun run = start(config, BEGIN);
      ended(run, 1, 0, Outcome.ABORTED, ops().write(7, 1001));
      committed(run, 2, 0, ops().read(7, 1001));
      beat(run);
      assertThat(run.anomalies).isEmpty();
      assertThat(run.report.undecided()).containsOnlyKeys(UndecidedReason.UNKNOWN_WRITER);
    }
  }

  @Test
  void anUndoneWriteIsNobodysVersion() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001).undoFrom(0).write(8, 1001));
    committed(run, 2, 0, ops().read(7, 1001));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsOnlyKeys(UndecidedReason.UNKNOWN_WRITER);
  }

  @Test
  void whoIsNotCapturedBindsUpToSnapshotIsolation() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(8, 1001));
    committed(run, 1, 1, ops().read(7, 1010));
    beat(run);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.PASS)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.UNDECIDED);
  }

  @Test
  void twoUpdatesOfAVersionThatNobodyCapturedAreALostUpdate() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(OPEN, Hello.NOT_KNOWN);
    committed(run, 1, 0, ops().read(7, 1010).write(7, 1011));
    committed(run, 2, 0, ops().read(7, 1010).write(7, 1012));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
  }

  @Test
  void whatWasWrittenBeforeCaptureIsDecidedAtEveryLevel() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, BEFORE).read(8, 999).read(9, 1).read(10, 2));
    committed(run, 2, 0, ops().read(7, BEFORE - 1).write(8, 1001));
    assertThat(run.report.transactions()).as("none is waited for").isEqualTo(2);
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
  }

  @Test
  void aDeletedRowOfBeforeCaptureThatIsSeenAgainIsAnAnomaly() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, BEFORE).delete(7).write(8, 1001));
    committed(run, 2, 0, ops().read(8, 1001).readInitial(7));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    committed(run, 2, 1, ops().read(8, 1001).read(7, BEFORE));
    beat(run);
    assertThat(run.anomalies).hasSize(1);
  }

  /** It had replayed less than had ended when the other proxy began. */
  @Test
  void aStandbyThatLagsShowsVersionsOfBeforeCaptureOrOnesThatNobodyStandsFor() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, 990).read(8, 950).write(7, 1001));
    ranAt = STANDBY;
    committed(run, 2, 0, ops().read(7, 940).read(8, 940));
    committed(run, 2, 1, ops().read(7, 990).read(8, 950));
    proxy = "q";
    run.accept(1, new Hello("q", "t", "2", 100, 945));
    committed(run, 3, 0, ops().read(7, 940).readInitial(8));
    committed(run, 3, 1, ops().read(7, 990).read(8, 950));
    committed(run, 3, 2, ops().read(7, 1001));
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsOnlyKeys(UndecidedReason.UNKNOWN_WRITER);
  }

  @Test
  void absenceAndARowOfBeforeCaptureAreBothInitial() {
    CheckRun run = start(OPEN.withDeletes(false), BEGIN);
    committed(run, 1, 0, ops().readInitial(7));
    committed(run, 1, 1, ops().read(7, BEFORE));
    committed(run, 1, 2, ops().readInitial(7));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isOne();
  }

  /** The writer may have ended before that of a version which counts as initial. */
  @Test
  void nobodyStandsForAVersionFromAboutTheBeginOfCapture() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, 1003));
    committed(run, 1, 1, ops().read(7, 999));
    committed(run, 2, 0, ops().write(9, 1005));
    committed(run, 1, 2, ops().read(8, 1004).read(8, 0));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.UNKNOWN_WRITER, 3L);
  }

  /** As rows of a fixture, whose statement does not tell them. */
  @Test
  void anIdBeyondAllThatHadEndedWhenAProxyAskedIsOfLater() {
    ranAt = SNAPSHOTS;
    for (long nextId : new long[] {Hello.NOT_KNOWN, 1005, 1003}) {
      CheckRun run =
          new CheckRun(OPEN)
              .accept(1, new Hello("p", "t", "1", 100, BEGIN, SessionInfo.NO_DATABASE, nextId));
      committed(run, 1, 0, ops().read(7, 1003).write(7, 1011));
      committed(run, 2, 0, ops().read(7, 1003).write(7, 1012));
      run.finish();
      assertThat(run.anomalies)
          .extracting(Anomaly::kind)
          .isEqualTo(nextId == 1003 ? List.of(AnomalyKind.LOST_UPDATE) : List.of());
    }
  }

  @Test
  void withoutAnIdFromEveryProxyNothingIsBeforeCapture() {
    for (boolean hello : new boolean[] {true, false}) {
      CheckRun run = start(OPEN, BEGIN);
      proxy = "q";
      if (hello) {
        run.accept(1, new Hello("q", "t", "2", 100));
      } else {
        committed(run, 3, 0, ops().read(1, 1));
      }
      proxy = "p";
      committed(run, 1, 0, ops().read(7, BEFORE));
      assertThat(run.report.readsDecided()).isZero();
      run.finish();
      assertThat(run.report.verdicts().get(IsolationLevel.SERIALIZABLE))
          .isEqualTo(Verdict.UNDECIDED);
    }
  }

  /** The slower proxy had started first, and wrote what the other one took for initial. */
  @Test
  void aHelloThatComesLateTakesBackWhatWasTakenForInitial() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, 700).write(7, 1001));
    assertThat(run.report.windowTransactions()).isOne();
    run.accept(1, new Hello("q", "t", "2", 100, 600));
    assertThat(run.report.windowTransactions()).isZero();
    assertThat(run.report.verdicts()).doesNotContainValue(Verdict.PASS);
    proxy = "q";
    committed(run, 2, 0, ops().read(7, BEFORE).write(7, 700));
    proxy = "p";
    committed(run, 1, 1, ops().read(7, 1001).read(8, BEFORE));
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.readsDecided()).isEqualTo(4);
  }

  @Test
  void beforeCaptureEndsWhenHalfTheRoomIsSpent() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().read(7, BEFORE).write(8, BEGIN + (IDS / 4) - 1));
    committed(run, 1, 1, ops().read(9, BEFORE));
    assertThat(run.report.readsDecided()).isEqualTo(2);
    committed(run, 1, 2, ops().write(8, BEGIN + IDS / 4));
    assertThat(run.report.windowTransactions()).as("the window is forgotten").isOne();
    committed(run, 1, 3, ops().read(10, BEFORE));
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts().get(IsolationLevel.SERIALIZABLE)).isEqualTo(Verdict.UNDECIDED);
    assertThat(run.report.undecided()).containsOnlyKeys(UndecidedReason.UNKNOWN_WRITER);
  }

  /** In the last half of an epoch lower ids are before capture, and others are until it ends. */
  @Test
  void idsAreComparedAcrossTheWrap() {
    long late = 5 * IDS + IDS * 5 / 8;
    CheckRun run = start(OPEN, late);
    committed(run, 1, 0, ops().read(7, 3).read(8, (late % IDS) - 1).write(9, (late % IDS) + 1));
    committed(run, 1, 1, ops().read(7, (late % IDS) + 2));
    run.finish();
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.PASS)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.UNDECIDED);
    CheckRun young = start(OPEN, 5 * IDS + BEGIN);
    committed(young, 1, 0, ops().read(7, IDS - 5).read(8, IDS * 3 / 4));
    assertThat(young.report.readsDecided()).isEqualTo(2);
    CheckRun first = start(OPEN, BEGIN);
    committed(first, 1, 0, ops().read(7, IDS - 5));
    first.finish();
    assertThat(first.report.readsDecided()).as("no such id was given out").isZero();
    CheckRun last = start(OPEN, 5 * IDS + IDS * 7 / 8);
    committed(last, 1, 0, ops().read(7, 3).read(8, BEGIN));
    last.finish();
    assertThat(last.report.verdicts().get(IsolationLevel.SERIALIZABLE))
        .isEqualTo(Verdict.UNDECIDED);
  }

  /** By a trigger, under the same id: the row has it before the write that was seen, and after. */
  @Test
  void anIdOfTheReaderIsItsOwnWhetherOrNotTheWriteWasSeen() {
    CheckRun run = start(CLOSED, BEGIN);
    committed(run, 1, 0, ops().write(8, 1001).read(7, 1001).write(7, 1001));
    committed(run, 1, 1, ops().write(7, 1002).write(7, 1003).read(7, 1002));
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isOne();
  }

  /** The outer id may have written the key again by a trigger; a subtransaction's cannot. */
  @Test
  void aReadOfAnOverwrittenVersionIsIntermediateIfItsIdHadEnded() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001).write(7, 1002));
    committed(run, 2, 0, ops().read(7, 1001));
    committed(run, 1, 1, ops().write(8, 1003).delete(8));
    committed(run, 2, 1, ops().read(8, 1003));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.UNKNOWN_VERSION, 2L);
    committed(run, 1, 2, ops().write(9, 1005).write(9, 1004));
    committed(run, 2, 2, ops().read(9, 1005));
    beat(run);
    assertThat(run.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.INTERMEDIATE_READ);
  }

  @Test
  void versionsOfBeforeCaptureAreNotThinAirInAClosedHistory() {
    CheckRun run = start(CLOSED, BEGIN);
    committed(run, 1, 0, ops().read(7, BEFORE).write(7, 1001).read(7, BEFORE));
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.UNKNOWN_WRITER, 1L);
  }
}
