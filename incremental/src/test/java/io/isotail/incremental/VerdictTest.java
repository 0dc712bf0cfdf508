package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.incremental.verdict.Moment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of a level, since when, and when a doubt ends. */
final class VerdictTest {
  private static final int WINDOW = 10;
  private static final CheckerConfig FILE =
      CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE);
  private static final CheckerConfig LIVE =
      CheckerConfig.forLive("h")
          .withClosed(true)
          .withUniqueVersions(true)
          .withDeletes(false)
          .withWindow(WINDOW)
          .withPromise(IsolationLevel.STRICT_SERIALIZABLE);
  private long sent;

  @Test
  void levelsThatNobodyWasPromisedAreNotChecked() {
    CheckRun run = new CheckRun(FILE);
    // A lost update and a non-repeatable read, all at read committed.
    for (TransactionRecord t : Dsl.history("a: wx1 ; b: rx1 wx2 ; c: rx1 wx3 ; d: rx1 ; d: rx3")) {
      run.accept(0, ranAt(t, "postgresql:read-committed"));
    }
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.PASS)
        .containsEntry(IsolationLevel.READ_ATOMIC, Verdict.NOT_CHECKED)
        .containsEntry(IsolationLevel.CAUSAL, Verdict.NOT_CHECKED)
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.NOT_CHECKED)
        .containsEntry(IsolationLevel.STRICT_SERIALIZABLE, Verdict.NOT_CHECKED);
    LevelReport serializable = run.report.levels().get(IsolationLevel.SERIALIZABLE);
    assertThat(serializable.promised()).isZero();
    assertThat(serializable.transactions()).isEqualTo(5);
  }

  @Test
  void oneTransactionThatWasPromisedLessIsEnough() {
    List<TransactionRecord> history = Dsl.history("a: wx1 ; b: rx1 wx2 ; c: rx2");
    CheckRun run = new CheckRun(FILE);
    run.accept(0, ranAt(history.get(0), "serializable"));
    run.accept(0, ranAt(history.get(1), "firebird:repeatable-read"));
    run.accept(0, ranAt(history.get(2), "serializable"));
    LevelReport prefix = run.finish().report.levels().get(IsolationLevel.PREFIX);
    assertThat(prefix.verdict()).isEqualTo(Verdict.NOT_CHECKED);
    assertThat(prefix.promised()).isEqualTo(2);
    assertThat(prefix.transactions()).isEqualTo(3);
  }

  @Test
  void whatReadUncommittedReadsIsNotHeldToAnything() {
    CheckRun run = new CheckRun(FILE);
    List<TransactionRecord> history = Dsl.history("a!: wx1 ; b: rx1 wx2 ; c: rx2");
    run.accept(0, ranAt(history.get(0), "mysql:serializable"));
    run.accept(0, ranAt(history.get(1), "mysql:read-uncommitted"));
    run.accept(0, ranAt(history.get(2), "serializable"));
    LevelReport weakest = run.finish().report.levels().get(IsolationLevel.READ_COMMITTED);
    assertThat(run.anomalies).isEmpty();
    assertThat(weakest.verdict()).isEqualTo(Verdict.NOT_CHECKED);
    assertThat(weakest.promised()).isEqualTo(1);
    assertThat(weakest.transactions()).isEqualTo(2);
  }

  @Test
  void aViolationFailsStrongerLevelsWhateverWasPromised() {
    CheckRun run = new CheckRun(FILE);
    for (TransactionRecord t : Dsl.history("a: wx1 ; a: wx2 wy2 ; b: ry2 rx1")) {
      run.accept(0, ranAt(t, "read-atomic"));
    }
    assertThat(run.finish().report.verdicts())
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.FAIL)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.FAIL);
  }

  @Test
  void aVerdictSaysAfterHowManyTransactionsItIsOver() {
    CheckerConfig config =
        CheckerConfig.forLive("h")
            .withUniqueVersions(true)
            .withPromise(IsolationLevel.CAUSAL)
            .withStrongest(IsolationLevel.CAUSAL)
            .withWindow(10);
    for (int before = 0; before < 25; before++) {
      CheckRun run = new CheckRun(config);
      run.accept(0, new Hello("p", "shop", "a", 100, -1));
      for (int i = 0; i < before; i++) {
        run.accept(1, moved(Dsl.history("e: wz%d".formatted(i + 1)).get(0), i));
      }
      Dsl.history("a: wx1 ; a: wx2 wy2 ; b: ry2 rx1").forEach(t -> run.accept(1, t));
      LevelReport fails = run.report.levels().get(IsolationLevel.CAUSAL);
      assertThat(fails.verdict()).isEqualTo(Verdict.FAIL);
      assertThat(fails.overAfter()).as("after %d", before).isBetween(1L, 10L);
      long all = fails.overAfter();
      for (long left = all; left > 0; left--) {
        LevelReport report = run.report.levels().get(IsolationLevel.CAUSAL);
        assertThat(report.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(report.overAfter()).isEqualTo(left);
        run.accept(1, moved(Dsl.history("f: wz%d".formatted(100 + left)).get(0), all - left));
      }
      LevelReport after = run.report.levels().get(IsolationLevel.CAUSAL);
      assertThat(after.verdict()).as("after %d", before).isEqualTo(Verdict.PASS);
      assertThat(after.overAfter()).isZero();
    }
  }

  @Test
  void inAFileAViolationIsNeverOver() {
    CheckRun run = new CheckRun(FILE);
    Dsl.history("a: wx1 ; a: wx2 wy2 ; b: ry2 rx1").forEach(t -> run.accept(0, t));
    assertThat(run.finish().report.levels().get(IsolationLevel.CAUSAL).overAfter())
        .isEqualTo(LevelReport.NEVER);
  }

  @Test
  void anEmptyHistoryIsNotChecked() {
    assertThat(new CheckRun(FILE).finish().report.verdicts().values())
        .containsOnly(Verdict.NOT_CHECKED);
  }

  @Test
  void aPassOfAWindowSpeaksOfTheWindow() {
    CheckRun run = new CheckRun(FILE.withWindow(3).withStrongest(IsolationLevel.SERIALIZABLE));
    for (int i = 1; i <= 20; i++) {
      int version = i;
      Dsl.history("a: wx%d ; b: rx%d wy%d ; c: ry%d".formatted(i, i, i, Math.max(1, i - 1)))
          .forEach(t -> run.accept(0, moved(t, version - 1)));
    }
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.truncated()).isPositive();
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.PASS);
    assertThat(run.report.levels().get(IsolationLevel.CAUSAL).since()).isEqualTo(Moment.START);
  }

  @Test
  void aLossIsDoubtUntilTheWindowHasPassedIt() {
    CheckRun run = start();
    filler(run, 5);
    all(run, Verdict.PASS);
    run.accept(1_000, new Gap("p", 2));
    all(run, Verdict.UNDECIDED);
    LevelReport causal = run.report.levels().get(IsolationLevel.CAUSAL);
    assertThat(causal.doubts()).containsEntry(UndecidedReason.LOST_RECORDS, 1L);
    assertThat(causal.since().appendTimeMs()).isEqualTo(1_000);
    long lostAt = causal.since().offset();
    filler(run, WINDOW - 1);
    all(run, Verdict.UNDECIDED);
    filler(run, 1);
    all(run, Verdict.PASS);
    assertThat(run.report.levels().get(IsolationLevel.CAUSAL).since())
        .isEqualTo(new Moment(lostAt, 1_000));
    assertThat(run.report.levels().get(IsolationLevel.CAUSAL).doubts()).isEmpty();
  }

  /** What waits while a record is lost may stand before it or after it. */
  @Test
  void aLossIsDoubtUntilTheWindowHasPassedWhatWaitedThen() {
    CheckRun run = start();
    filler(run, 1);
    committed(run, 2, 0, "c", Long.MAX_VALUE, ops().read(7, 1));
    run.accept(1, new Gap("p", 1));
    filler(run, WINDOW + 1);
    assertThat(run.report.pendingTransactions()).isEqualTo(1);
    all(run, Verdict.UNDECIDED);
    committed(run, 3, 0, ops().write(7, 1));
    assertThat(run.report.pendingTransactions()).isZero();
    all(run, Verdict.UNDECIDED);
    filler(run, WINDOW);
    all(run, Verdict.PASS);
  }

  @Test
  void anOpaqueStatementIsDoubtUntilTheWindowHasPassedIt() {
    CheckRun run = start();
    committed(run, 2, 0, ops().opaque());
    all(run, Verdict.UNDECIDED);
    assertThat(run.report.levels().get(IsolationLevel.SERIALIZABLE).doubts())
        .containsOnlyKeys(UndecidedReason.OPAQUE_WRITE);
    filler(run, WINDOW);
    all(run, Verdict.PASS);
  }

  @Test
  void aLiveViolationIsForgottenWithTheWindowAndAFilesIsNot() {
    String lostUpdate = "a: wx1 ; b: rx1 wx2 ; c: rx1 wx3";
    for (boolean live : new boolean[] {true, false}) {
      CheckRun run = live ? start() : new CheckRun(FILE.withWindow(WINDOW));
      Dsl.history(lostUpdate).forEach(t -> run.accept(1, timed(t)));
      assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
      assertThat(run.report.verdicts())
          .containsEntry(IsolationLevel.PREFIX, Verdict.PASS)
          .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.FAIL);
      filler(run, WINDOW);
      assertThat(run.report.verdicts())
          .containsEntry(IsolationLevel.SERIALIZABLE, live ? Verdict.PASS : Verdict.FAIL);
    }
  }

  @Test
  void twoClocksAreComparedOnlyOnceOneHasLeftTheWindow() {
    CheckRun run = start();
    filler(run, 5);
    all(run, Verdict.PASS);
    committed(run, 2, 0, "another", ops().write(8, 1));
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS)
        .containsEntry(IsolationLevel.STRICT_SERIALIZABLE, Verdict.UNDECIDED);
    assertThat(run.report.levels().get(IsolationLevel.STRICT_SERIALIZABLE).doubts())
        .containsOnlyKeys(UndecidedReason.CLOCKS_NOT_COMPARED);
    filler(run, 2 * WINDOW);
    all(run, Verdict.PASS);
  }

  @Test
  void aProxyThatDiesIsDoubtForAWindow() {
    CheckRun run = start();
    run.accept(1, new Hello("q", "shop", "b", 100));
    filler(run, 1);
    run.accept(2, new Heartbeat("q", 0, List.of()));
    for (int i = 1; i <= 15; i++) {
      run.accept(i * 1_000L, new Heartbeat("p", i, List.of()));
    }
    assertThat(run.report.silentProxies()).isPositive();
    all(run, Verdict.UNDECIDED);
    run.accept(20_001, new Goodbye("p"));
    filler(run, 2 * WINDOW);
    all(run, Verdict.PASS);
  }

  @Test
  void aThinAirReadIsNotPassedOverOnceVersionsWereForgotten() {
    CheckRun run = new CheckRun(FILE.withWindow(2).withRetired(1));
    Dsl.history("a: wx1 ; a: wx2 ; a: wx3 ; a: wx4 ; a: wx5 ; b: ry7")
        .forEach(t -> run.accept(0, t));
    assertThat(run.finish().report.verdicts())
        .containsEntry(IsolationLevel.READ_COMMITTED, Verdict.UNDECIDED);
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.CAPACITY, 1L);
  }

  @Test
  void aWiderWindowClaimsNothingOfWhatANarrowerOneHasLetGo() {
    CheckRun run = start();
    filler(run, 3 * WINDOW);
    all(run, Verdict.PASS);
    run.accept(1, new Control(Map.of(Control.WINDOW, "1000")));
    all(run, Verdict.UNDECIDED);
  }

  private static void all(CheckRun run, Verdict verdict) {
    assertThat(run.report.verdicts().values()).as("%s", run.report.levels()).containsOnly(verdict);
  }

  private static CheckRun start() {
    return new CheckRun(LIVE).accept(1, new Hello("p", "shop", "a", 100));
  }

  private void filler(CheckRun run, int transactions) {
    for (int i = 0; i < transactions; i++) {
      committed(run, 1, sent, ops().write(1, ++sent));
    }
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private void committed(CheckRun run, long session, long n, Operations.Builder ops) {
    committed(run, session, n, "c", ops);
  }

  private void committed(CheckRun run, long session, long n, String clock, Operations.Builder ops) {
    committed(run, session, n, clock, 1_001 + 10 * sent, ops);
  }

  private void committed(
      CheckRun run, long session, long n, String clock, long endNs, Operations.Builder ops) {
    run.accept(
        1,
        new TransactionRecord(
            new SessionInfo(session, "s" + session, "", "shop", "a", "db", 7),
            n,
            n,
            0,
            Outcome.COMMITTED,
            null,
            1_000 + 10 * sent,
            endNs,
            clock,
            ops.build()));
  }

  private static TransactionRecord ranAt(TransactionRecord t, String level) {
    return with(t, t.sequence(), level, TransactionRecord.NO_TIME, null);
  }

  private static TransactionRecord moved(TransactionRecord t, long sequence) {
    return with(t, t.sequence() + sequence, null, TransactionRecord.NO_TIME, null);
  }

  /** At the same time as all others. */
  private static TransactionRecord timed(TransactionRecord t) {
    return with(t, t.sequence(), null, 1_000, "c");
  }

  private static TransactionRecord with(
      TransactionRecord t, long sequence, String level, long timeNs, String clock) {
    return new TransactionRecord(
        t.session(),
        sequence,
        sequence,
        0,
        t.outcome(),
        level,
        timeNs,
        timeNs,
        clock,
        t.operations());
  }
}
