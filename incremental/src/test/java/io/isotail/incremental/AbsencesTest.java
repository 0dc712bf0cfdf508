package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What it proves that a row was not there, where not everybody is captured and rows are deleted.
 */
final class AbsencesTest extends WritersByName {
  private static final CheckerConfig OPEN = CheckerConfig.forLive("h");
  private static final long BEGIN = 1000;
  private static final long FOREIGN = 1007;

  /** As whoever asks whether a name is taken does. */
  @Test
  void aRowThatNobodyIsKnownToHaveWrittenBeforeWasNeverThere() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().readInitial(7).write(7, 1001));
    committed(run, 2, 0, ops().readInitial(8));
    committed(run, 2, 1, ops().write(8, 1002));
    committed(run, 3, 0, ops().readInitial(9));
    beat(run);
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
    assertThat(run.report.readsBeforeCapture()).isZero();
  }

  @Test
  void whoEverMayHaveWrittenItBeforeIsWaitedFor() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().readInitial(7));
    assertThat(run.report.reads()).isZero();
    beat(run);
    assertThat(run.report.reads()).isOne();
    assertThat(run.report.coverage()).isOne();
  }

  /** Somebody who is not captured may have deleted it again, or the reader may have missed it. */
  @Test
  void besideAWriterOfTheRowItIsUndecided() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().readInitial(7));
    beat(run);
    undecided(run, 1);
    committed(run, 1, 1, ops().readInitial(7));
    beat(run);
    undecided(run, 2);
    committed(run, 3, 0, ops().delete(8));
    committed(run, 4, 0, ops().readInitial(8));
    beat(run);
    undecided(run, 3);
    ended(run, 5, 0, Outcome.UNKNOWN, ops().write(9, 1003));
    committed(run, 6, 0, ops().readInitial(9));
    beat(run);
    undecided(run, 4);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void whatWasRolledBackWasNeverThere() {
    CheckRun run = start(OPEN, BEGIN);
    ended(run, 1, 0, Outcome.ABORTED, ops().write(7, 1001));
    committed(run, 2, 0, ops().readInitial(7));
    beat(run);
    assertThat(run.report.coverage()).isOne();
  }

  /** A row is inserted after one has looked for it, then another session works on it. */
  @Test
  void whoWorksOnARowThatWasInsertedLaterComesLaterToo() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().readInitial(7));
    committed(run, 2, 0, ops().read(7, 1001).write(7, 1002));
    committed(run, 3, 0, ops().read(7, 1002).delete(7));
    committed(run, 1, 1, ops().write(7, 1001));
    beat(run);
    assertThat(run.report.coverage()).isOne();
    committed(run, 1, 2, ops().readInitial(7));
    beat(run);
    undecided(run, 1);
  }

  @Test
  void whoBeganAfterTheReaderHadEndedComesLater() {
    for (long uncertaintyNs : new long[] {CheckerConfig.NEVER_COMPARED, 5}) {
      for (long beganNs : new long[] {20, 21, 26}) {
        for (String clock : new String[] {"c", "d"}) {
          CheckRun run = start(OPEN.withClockUncertainty(uncertaintyNs), BEGIN);
          told(run, 1, 10, 20, "c", ops().readInitial(7));
          told(run, 2, beganNs, 40, clock, ops().write(7, 1001));
          beat(run);
          boolean later =
              clock.equals("c")
                  ? beganNs > 20
                  : uncertaintyNs != CheckerConfig.NEVER_COMPARED && beganNs > 25;
          assertThat(run.report.coverage()).isEqualTo(later ? 1.0 : 0.0);
        }
      }
    }
  }

  private static void told(
      CheckRun run,
      long session,
      long beganNs,
      long endedNs,
      String clock,
      Operations.Builder ops) {
    run.accept(
        1,
        new TransactionRecord(
            new SessionInfo(session, "s" + session, "p", null, "1", "db", 0, -1, BEGIN),
            0,
            0,
            0,
            Outcome.COMMITTED,
            SERIALIZABLE,
            beganNs,
            endedNs,
            clock,
            ops.build()));
  }

  /** Both look whether the other is there: one of them wrote after the other had been heard of. */
  @Test
  void writeSkewOnRowsThatWereNotThereIsFound() {
    CheckRun run = start(OPEN.withOutsiders(false), BEGIN);
    committed(run, 1, 0, ops().readInitial(8).write(7, 1001));
    beat(run);
    committed(run, 2, 0, ops().read(9, 500).write(8, 1002));
    committed(run, 3, 0, ops().read(8, 1002).read(7, 1001));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    committed(run, 4, 0, ops().readInitial(11).read(8, 1002).write(12, 1003));
    beat(run);
    committed(run, 2, 1, ops().readInitial(12).write(11, 1004));
    beat(run);
    undecided(run, 1);
    committed(run, 5, 0, ops().readInitial(21).read(22, 500).write(23, 1005));
    beat(run);
    committed(run, 6, 0, ops().read(23, 500).write(21, 1006));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.WRITE_SKEW);
    assertThat(run.anomalies.get(0).explanation()).contains("absent").doesNotContain("xmin 0");
  }

  /** He may have written the row, and deleted it, before the reader looked for it. */
  @Test
  void nobodyIsMadeItsWriterWhileTheReaderIsInTheWindow() {
    CheckRun run = start(OPEN.withWindow(3), BEGIN);
    committed(run, 1, 0, ops().write(1, FOREIGN - 1).write(2, FOREIGN + 1));
    committed(run, 2, 0, ops().readInitial(7));
    beat(run);
    committed(run, 3, 0, ops().read(7, FOREIGN));
    beat(run);
    assertThat(run.report.undecided()).containsOnlyKeys(UndecidedReason.UNKNOWN_WRITER);
    assertThat(run.report.readsForeign()).isZero();
    for (int i = 0; i < 9; i++) {
      committed(run, 4, i, ops().read(1, FOREIGN - 1));
    }
    committed(run, 5, 0, ops().read(7, FOREIGN));
    beat(run);
    assertThat(run.report.readsForeign()).isOne();
    committed(run, 6, 0, ops().readInitial(7));
    beat(run);
    undecided(run, 1);
    assertThat(run.anomalies).isEmpty();
  }

  /** It would decide one read and leave others undecided: those of what outsiders write. */
  @Test
  void whereOutsidersWriteAnAbsenceIsUndecided() {
    CheckRun run = start(OPEN.withWindow(3), BEGIN);
    committed(run, 1, 0, ops().write(1, FOREIGN - 1).write(2, FOREIGN + 1));
    committed(run, 3, 0, ops().read(7, FOREIGN));
    committed(run, 2, 0, ops().readInitial(8).readInitial(9));
    beat(run);
    undecided(run, 2);
    assertThat(run.report.readsForeign()).isOne();
    for (int i = 0; i < 4; i++) {
      committed(run, 4, i, ops().read(1, FOREIGN - 1));
    }
    committed(run, 2, 1, ops().readInitial(9));
    beat(run);
    undecided(run, 2);
  }

  /** A proxy that could not reach the log is heard of late, and its writers may be earlier. */
  @Test
  void aWriterOfAProxyThatIsHeardOfLateMayComeBefore() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().readInitial(7));
    run.accept(1, new Hello("q", "t", "2", 200, BEGIN));
    proxy = "q";
    ranAt = "postgresql:read-committed";
    ended(run, 10, 0, Outcome.COMMITTED, -1, ops().write(7, 1001));
    proxy = "p";
    beat(run);
    hearOf(run, "q");
    assertThat(run.report.reads()).isOne();
    undecided(run, 1);
  }

  /** And what was concluded before it was heard of is forgotten. */
  @Test
  void aWriterThatMayComeBeforeWhatWasDecidedTakesItBack() {
    for (boolean reads : new boolean[] {false, true}) {
      CheckRun run = start(OPEN, BEGIN);
      committed(run, 1, 0, ops().readInitial(7));
      committed(run, 1, 1, ops().write(7, 1001));
      beat(run);
      assertThat(run.report.coverage()).isOne();
      assertThat(run.checker.delivered()).hasSize(2);
      run.accept(1, new Hello("q", "t", "2", 200, BEGIN));
      proxy = "q";
      Operations.Builder ops = reads ? ops().read(7, 1001).write(7, 1002) : ops().write(7, 1002);
      ended(run, 10, 0, Outcome.COMMITTED, -1, ops);
      proxy = "p";
      hearOf(run, "q");
      beat(run);
      // Who read what came after the absence comes after it, whoever captured him.
      assertThat(run.checker.delivered()).as("%s", reads).hasSize(reads ? 3 : 1);
      assertThat(run.anomalies).isEmpty();
    }
  }

  private static void hearOf(CheckRun run, String proxy) {
    for (int i = 0; i < 3; i++) {
      run.accept(1, new Heartbeat(proxy, i, List.of()));
    }
  }

  /** Clocks say that he had ended before: what the log says cannot be right then. */
  @Test
  void theLogIsNotBelievedAgainstTheClock() {
    CheckRun run = start(OPEN, BEGIN);
    told(run, 1, 50, 60, "c", ops().readInitial(7));
    beat(run);
    told(run, 2, 10, 20, "c", ops().write(7, 1001));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.checker.delivered()).hasSize(1);
  }

  /** What was lost came from somebody nobody captures then; what is known stays. */
  @Test
  void aLossTakesNothingBack() {
    CheckRun run = start(OPEN, BEGIN);
    committed(run, 1, 0, ops().readInitial(7));
    beat(run);
    committed(run, 2, 0, ops().readInitial(8));
    run.accept(1, new Gap("p", 3));
    assertThat(run.checker.delivered()).isNotEmpty();
    beat(run);
    undecided(run, 1);
    committed(run, 3, 0, ops().readInitial(9));
    beat(run);
    undecided(run, 1);
    assertThat(run.report.readsDecided()).isEqualTo(2);
  }

  /** A proxy that was silent wrote before the horizon, which had not waited for it. */
  @Test
  void aWriterOfAProxyThatWasTakenForDeadTakesItBack() {
    CheckRun run = start(OPEN, BEGIN);
    run.accept(1, new Hello("q", "t", "2", 200, BEGIN));
    hearOf(run, "q");
    for (int i = 1; i < 30; i++) {
      run.accept(i * 1_000L, new Heartbeat("p", i, List.of()));
    }
    assertThat(run.report.anomalies()).isEmpty();
    nowMs = 30_000;
    committed(run, 1, 0, ops().readInitial(7));
    for (int i = 30; i < 33; i++) {
      run.accept(30_000, new Heartbeat("p", i, List.of()));
    }
    assertThat(run.report.readsDecided()).isOne();
    proxy = "q";
    ended(run, 10, 0, Outcome.COMMITTED, -1, ops().write(7, 1001));
    proxy = "p";
    assertThat(run.checker.delivered()).hasSizeLessThan(2);
    assertThat(run.anomalies).isEmpty();
  }

  /** All of them come later, but there are more than are looked at. */
  @Test
  void aRowWithTooManyWritersIsUndecided() {
    for (int writers : new int[] {16, 17}) {
      CheckRun run = start(OPEN, BEGIN);
      committed(run, 1, 0, ops().readInitial(7));
      for (int i = 1; i <= writers; i++) {
        committed(run, 1, i, ops().write(7, 1000 + i));
      }
      beat(run);
      assertThat(run.report.coverage()).isEqualTo(writers == 16 ? 1.0 : 0.0);
    }
  }

  /** It is read from still, by whoever looks for the row in vain afterwards. */
  @Test
  void aWriterThatHasLeftTheWindowCountsToo() {
    CheckRun run = start(OPEN.withWindow(2), BEGIN);
    committed(run, 1, 0, ops().readInitial(6).write(7, 1001));
    beat(run);
    for (int i = 1; i < 4; i++) {
      committed(run, 1, i, ops().readInitial(60 + i));
    }
    beat(run);
    committed(run, 2, 0, ops().read(7, 1001));
    committed(run, 2, 1, ops().readInitial(7));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    undecided(run, 1);
  }

  /**
   * Of a table that nobody has looked for a row in, nothing is known by key until somebody does.
   */
  @Test
  void aWriterThatLeftBeforeAnyRowOfItsTableWasLookedForCountsToo() {
    for (Operations.Builder write :
        List.of(ops().write(7, 1001), ops().delete(7), ops().writeUnknown(7))) {
      CheckRun run = start(OPEN.withWindow(3), BEGIN);
      committed(run, 1, 0, write);
      committed(
          run, 1, 1, ops().read(10, 500).statement(new Statement("u", "", true)).readInitial(8));
      for (int i = 0; i < 3; i++) {
        committed(run, 1, 2 + i, ops().write(100 + i, 1002 + i));
      }
      beat(run);
      assertThat(run.report.undecided()).isEmpty();
      committed(run, 2, 0, ops().readInitial(7).readInitial(9));
      beat(run);
      undecided(run, 1);
      assertThat(run.report.coverage()).isEqualTo(3.0 / 4);
    }
  }

  @Test
  void writersOfManyTablesAreRemembered() {
    CheckRun run = start(OPEN.withWindow(3), BEGIN);
    for (int i = 0; i < 200; i++) {
      committed(run, 1, i, table(i).write(i, 1001 + i));
    }
    beat(run);
    for (int i = 0; i < 200; i++) {
      committed(run, 2, i, table(i).readInitial(i).readInitial(1000 + i));
    }
    beat(run);
    undecided(run, 200);
    assertThat(run.report.readsDecided()).isEqualTo(200);
  }

  private static Operations.Builder table(int i) {
    return new Operations.Builder().statement(new Statement("t" + i, "", true));
  }

  /** However few versions are remembered. */
  @Test
  void aWriterThatALevelHoldsCountsToo() {
    for (int retired = 0; retired < 4; retired++) {
      CheckRun run = start(OPEN.withWindow(6).withRetired(retired), BEGIN);
      committed(run, 1, 0, ops().write(7, 1001).write(8, 1001));
      for (int i = 0; i < 30; i++) {
        committed(run, 1, 1 + i, ops().write(9, 1002 + i));
      }
      beat(run);
      committed(run, 2, 0, ops().read(8, 1001).readInitial(7));
      beat(run);
      committed(run, 3, 0, ops().readInitial(7));
      beat(run);
      assertThat(run.anomalies).isEmpty();
    }
  }

  /** Two transactions wrote the same version, and one of them is held. */
  @Test
  void aRetryThatALevelHoldsCountsToo() {
    CheckerConfig counting = OPEN.withCountingTables(Set.of("t")).withWindow(6).withRetired(4);
    CheckRun run = start(counting, BEGIN);
    ended(run, 1, 0, Outcome.ABORTED, counts().write(7, 1));
    committed(run, 1, 1, counts().write(7, 1).write(8, 1));
    for (int i = 0; i < 40; i++) {
      committed(run, 1, 2 + i, counts().write(100 + i % 3, 2 + i));
    }
    beat(run);
    committed(run, 2, 0, counts().read(8, 1).readInitial(7));
    beat(run);
    assertThat(run.anomalies).isEmpty();
  }

  private static Operations.Builder counts() {
    return new Operations.Builder().statement(new Statement("t", "", false));
  }

  /** Rows that are looked for all the time, and then written all the time. */
  @Test
  void whoComesAfterManyReadersIsFoundAtOnce() {
    CheckRun run = start(OPEN, BEGIN);
    for (int i = 0; i < 200; i++) {
      committed(run, 1, i, ops().readInitial(7).write(100 + i, 1001 + i));
    }
    beat(run);
    assertThat(run.report.readsDecided()).isEqualTo(200);
    committed(run, 2, 0, ops().write(7, 2001));
    beat(run);
    assertThat(run.checker.delivered()).hasSize(201);
    run.accept(1, new Hello("q", "t", "2", 200, BEGIN));
    proxy = "q";
    ended(run, 10, 0, Outcome.COMMITTED, -1, ops().write(7, 2002));
    proxy = "p";
    assertThat(run.checker.delivered()).hasSize(1);
  }

  /** Nothing in the window can have read from him any more. */
  @Test
  void aWriterThatLeftLongAgoIsForgotten() {
    for (Operations.Builder write :
        List.of(ops().write(7, 1001), ops().delete(7), ops().writeUnknown(7))) {
      CheckRun run = start(OPEN.withWindow(3).withRetired(2), BEGIN);
      committed(run, 1, 0, write);
      long first = -1;
      for (int i = 0; i < 30; i++) {
        committed(run, 2, 2 * i, ops().write(100 + i, 1002 + i));
        committed(run, 2, 2 * i + 1, ops().readInitial(7));
        beat(run);
        first = first < 0 && run.report.readsDecided() > 0 ? i : first;
        assertThat(run.report.readsDecided()).isEqualTo(first < 0 ? 0 : i - first + 1);
      }
      assertThat(first).isBetween(3L, 9L);
      assertThat(run.anomalies).isEmpty();
    }
  }

  @Test
  void filesAndHistoriesWithoutDeletesAreAsBefore() {
    CheckRun run = start(OPEN.withDeletes(false), BEGIN);
    committed(run, 1, 0, ops().write(7, 1001));
    committed(run, 2, 0, ops().readInitial(7));
    assertThat(run.report.reads()).isOne();
    assertThat(run.report.coverage()).isOne();
  }

  private static void undecided(CheckRun run, long absences) {
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.ABSENCE, absences);
  }
}
