package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What follows from a version that is unique and that nobody captured wrote. */
final class UncapturedWritersTest {
  private static final CheckerConfig UNIQUE =
      CheckerConfig.forLive("h")
          .withStrongest(IsolationLevel.STRICT_SERIALIZABLE)
          .withUniqueVersions(true);
  private static final String SNAPSHOTS = "postgresql:repeatable-read";
  private static final String SERIALIZABLE = "postgresql:serializable";
  private String ranAt = "causal";

  @Test
  void aSessionThatSeesItsOwnWriteAgainAfterAnothersBreaksCausalWhoeverThatWas() {
    CheckRun run = start(UNIQUE);
    committed(run, 1, 0, ops().write(7, 2));
    committed(run, 1, 1, ops().read(7, 3));
    committed(run, 1, 2, ops().read(7, 2));
    beat(run);
    assertThat(run.anomalies).hasSize(1);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.level().compareTo(IsolationLevel.CAUSAL)).isNotPositive();
    assertThat(anomaly.capsule())
        .extracting(t -> t.session().name())
        .containsExactlyInAnyOrder("h", "h", "h", "uncaptured");
    assertThat(run.report.readsForeign()).isOne();
    assertThat(run.report.readsUndecided()).isZero();
  }

  @Test
  void aRowOfBeforeCaptureThatIsReadAndOverwrittenTwiceIsALostUpdate() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(UNIQUE);
    committed(run, 1, 0, ops().read(7, 3).write(7, 4));
    committed(run, 2, 0, ops().read(7, 3).write(7, 5));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
  }

  @Test
  void rowsOfBeforeCaptureAreNoDoubt() {
    CheckRun run = start(UNIQUE.withStrongest(IsolationLevel.SNAPSHOT_ISOLATION));
    ranAt = SNAPSHOTS;
    committed(run, 1, 0, ops().read(7, 3).read(8, 4).write(7, 5));
    committed(run, 2, 0, ops().read(7, 5).read(8, 4));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.PASS);
    assertThat(run.report.transactions()).isEqualTo(2);
    assertThat(run.report.windowTransactions()).isEqualTo(2);
    assertThat(run.report.sessions()).isEqualTo(2);
  }

  /** A trigger that was added since the catalog was read wrote row 7, or its savepoint did. */
  @Test
  void whatWasWrittenUnderAnIdAfterTheReadersMayBeItsOwn() {
    ranAt = SNAPSHOTS;
    for (int first = 0; first <= 2; first++) {
      CheckRun run = start(CheckerConfig.forLive("h"));
      committed(run, 2, 0, named().write(9, 100));
      committed(run, 1, 0, named().read(7, 101).write(8, 110).read(7, 110 + 20 * first));
      beat(run);
      assertThat(run.anomalies).isEmpty();
      assertThat(run.report.readsForeign()).isOne();
      assertThat(run.report.readsUndecided()).isOne();
    }
  }

  @Test
  void whatWasWrittenUnderAnIdBeforeTheReadersIsSomebodyElses() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(CheckerConfig.forLive("h"));
    committed(run, 2, 0, named().write(9, 100));
    committed(run, 1, 0, named().read(7, 101).write(8, 110).read(7, 109));
    beat(run);
    assertThat(run.anomalies)
        .extracting(Anomaly::kind)
        .containsOnly(AnomalyKind.NON_MONOTONIC_READ);
    assertThat(run.report.readsForeign()).isEqualTo(2);
  }

  /** Ids have 32 bits. */
  @Test
  void anIdAfterTheWrapIsLater() {
    ranAt = SNAPSHOTS;
    CheckRun run = start(CheckerConfig.forLive("h"));
    long last = 0xFFFF_FFFFL;
    committed(run, 2, 0, named().write(9, last - 9));
    committed(run, 1, 0, named().read(7, last - 2).write(8, last).read(7, 4));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.readsUndecided()).isOne();
  }

  private static Operations.Builder named() {
    return new Operations.Builder().statement(new Statement("t", "", true));
  }

  /** An update at read committed commits between the begin of b and the read of a. */
  @Test
  void whoIsNotSerializableIsIgnoredBySerializable() {
    CheckRun run = start(UNIQUE);
    ranAt = SERIALIZABLE;
    committed(run, 1, 0, ops().read(7, 10).read(8, 20).write(8, 21));
    committed(run, 2, 0, ops().read(7, 11).read(8, 20));
    committed(run, 1, 1, ops().read(7, 11));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.SNAPSHOT_ISOLATION, Verdict.PASS)
        .containsEntry(IsolationLevel.SERIALIZABLE, Verdict.UNDECIDED);
  }

  @Test
  void elsewhereNothingBindsWritersThatAreNotCapturedFromPrefixOn() {
    CheckRun run = start(UNIQUE);
    ranAt = "serializable";
    committed(run, 1, 0, ops().read(7, 3).write(7, 4));
    beat(run);
    assertThat(run.report.verdicts())
        .containsEntry(IsolationLevel.CAUSAL, Verdict.PASS)
        .containsEntry(IsolationLevel.PREFIX, Verdict.UNDECIDED);
    assertThat(run.report.coverage()).isZero();
  }

  /** Session 2 has sent a write, and its record comes more than a minute later. */
  @Test
  void aWriterThatMayComeYetIsNotTakenForUncaptured() {
    CheckRun run = start(UNIQUE);
    committed(run, 1, 0, ops().read(7, 3));
    for (int i = 0; i < 70; i++) {
      run.accept(i * 1_000L, new Heartbeat("p", i, List.of(new OpenTransaction(2, 0))));
    }
    assertThat(run.report.undecided()).containsKey(UndecidedReason.LATE_WRITER);
    assertThat(run.report.verdicts()).doesNotContainValue(Verdict.PASS);
  }

  @Test
  void anAbortedWriterThatComesLateIsDoubt() {
    CheckRun run = start(UNIQUE);
    committed(run, 1, 0, ops().read(7, 3));
    beat(run);
    ended(run, 2, 0, Outcome.ABORTED, ops().write(7, 3));
    beat(run);
    assertThat(run.report.undecided()).isEmpty();
    assertThat(run.report.levels().get(IsolationLevel.READ_COMMITTED).doubts())
        .containsKey(UndecidedReason.LATE_WRITER);
  }

  /** Each reads one of three rows of before capture, and all else in turn. */
  @Test
  void aVersionHasOneWriterHoweverLongItIsRead() {
    CheckRun run = start(UNIQUE.withWindow(20).withRetired(10));
    ranAt = SNAPSHOTS;
    for (int n = 0; n < 2_000; n++) {
      long key = 100 + n % 7;
      Operations.Builder ops = ops().read(n % 3, 1);
      committed(run, n % 8, n / 8, n < 7 ? ops.write(key, n) : ops.read(key, n - 7).write(key, n));
    }
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.UNPROVEN);
  }

  @Test
  void whatATriggerOfTheReaderMayHaveWrittenIsNotSomebodyElses() {
    CheckRun run = start(UNIQUE);
    committed(run, 1, 0, ops().write(7, 2));
    committed(run, 2, 0, ops().read(7, 2).write(8, 1).read(7, 3));
    committed(run, 1, 1, ops().read(7, 3));
    committed(run, 2, 1, ops().write(9, 5).read(9, 6));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.UNKNOWN_WRITER, 2L);
  }

  @Test
  void aWriterThatComesLateStaysWhatItWasTakenFor() {
    CheckRun run = start(UNIQUE);
    committed(run, 1, 0, ops().read(7, 3));
    beat(run);
    committed(run, 2, 0, ops().write(7, 3).write(8, 1));
    committed(run, 1, 1, ops().read(7, 3).read(8, 1));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.duplicateVersions()).isZero();
    assertThat(run.report.readsForeign()).isEqualTo(2);
    assertThat(run.report.readsUndecided()).isZero();
  }

  @Test
  void thereAreNoMoreOfThemThanTransactionsInTheWindow() {
    CheckRun run = start(UNIQUE.withWindow(10));
    for (int n = 0; n < 100; n++) {
      committed(run, 1, n, ops().read(100 + n, 1).read(300 + n, 1).read(500 + n, 1));
    }
    beat(run);
    assertThat(run.report.windowTransactions()).isEqualTo(10);
    assertThat(run.checker.delivered()).hasSizeLessThanOrEqualTo(20);
    assertThat(run.report.undecided()).containsKey(UndecidedReason.UNKNOWN_WRITER);
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static CheckRun start(CheckerConfig config) {
    return new CheckRun(config).accept(1, new Hello("p", "t", "1", 100));
  }

  private static void beat(CheckRun run) {
    for (int i = 0; i < 3; i++) {
      run.accept(1, new Heartbeat("p", i, List.of()));
    }
  }

  private void committed(CheckRun run, long session, long sequence, Operations.Builder ops) {
    ended(run, session, sequence, Outcome.COMMITTED, ops);
  }

  private void ended(
      CheckRun run, long session, long sequence, Outcome outcome, Operations.Builder ops) {
    run.accept(
        1,
        new TransactionRecord(
            new SessionInfo(session, "h", "p", "service", "1", "db", 0),
            sequence,
            sequence,
            0,
            outcome,
            ranAt,
            sequence * 10 + session,
            sequence * 10 + session + 5,
            "c",
            ops.build()));
  }
}
