package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a version proves that somebody else may have installed too: the table of WriterEvidence. */
final class RepeatedVersionsTest {
  private static final Statement COUNTING = new Statement("counting", "");
  private static final Statement ANY = new Statement("any", "");
  private static final CheckerConfig DEFAULT = CheckerConfig.forLive("h");
  private static final CheckerConfig PROMISED =
      DEFAULT
          .withPromise(IsolationLevel.STRICT_SERIALIZABLE)
          .withCountingTables(Set.of(COUNTING.table()));

  /** {@code SELECT; UPDATE v=99; UPDATE v=100; SELECT} of a row that held 100 before capture. */
  @Test
  void aRowFromBeforeCaptureThatGetsItsValueBackIsNoCycle() {
    CheckRun run = start(DEFAULT);
    committed(run, 1, 0, ops(ANY).read(1, 100).write(1, 99));
    committed(run, 1, 1, ops(ANY).write(1, 100));
    committed(run, 1, 2, ops(ANY).read(1, 100));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.UNKNOWN_WRITER, 2L);
  }

  @Test
  void aValueThatSomebodyElsePutsBackIsNoStaleRead() {
    CheckRun run = start(PROMISED);
    committed(run, 1, 0, ops(ANY).write(1, 5));
    committed(run, 1, 1, ops(ANY).write(1, 6));
    // In psql: UPDATE v=5.
    committed(run, 1, 2, ops(ANY).read(1, 5));
    beat(run);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void aTriggerThatChangesWhatIsWrittenIsNoLostOwnWrite() {
    CheckRun run = start(PROMISED);
    committed(run, 1, 0, ops(ANY).write(1, 6));
    committed(run, 1, 1, ops(ANY).write(1, 5).read(1, 6));
    committed(run, 1, 2, ops(ANY).write(2, 5).write(2, 6).read(2, 5));
    committed(run, 1, 3, ops(ANY).write(3, 5).readInitial(3));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.readsDecided()).isZero();
  }

  @Test
  void whatProvesNothingIsNotWaitedFor() {
    CheckRun run = start(PROMISED);
    committed(run, 1, 0, ops(ANY).read(1, 5));
    assertThat(run.report.pendingTransactions()).isZero();
    committed(run, 1, 1, ops(COUNTING).read(1, 5));
    assertThat(run.report.pendingTransactions()).isEqualTo(1);
    committed(run, 2, 0, ops(ANY).readInitial(2));
    assertThat(run.report.pendingTransactions()).isEqualTo(2);
  }

  @Test
  void aCommittedWriterOfACountingVersionIsTheWriterWhateverIsNotCaptured() {
    CheckRun run = start(PROMISED);
    committed(run, 1, 0, ops(COUNTING).write(1, 5));
    committed(run, 2, 0, ops(COUNTING).read(1, 5).write(1, 6));
    committed(run, 3, 0, ops(COUNTING).read(1, 5).write(1, 7));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    assertThat(run.report.coverage()).isOne();
  }

  @Test
  void anAbortedWriterOfACountingVersionProvesNothingInAnOpenHistory() {
    CheckRun open = start(PROMISED);
    abortedAndRead(open);
    assertThat(open.anomalies).isEmpty();
    CheckRun closed = start(PROMISED.withClosed(true));
    abortedAndRead(closed);
    assertThat(closed.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.ABORTED_READ);
  }

  private static void abortedAndRead(CheckRun run) {
    run.accept(1, record(1, 0, Outcome.ABORTED, ops(COUNTING).write(1, 5)));
    committed(run, 2, 0, ops(COUNTING).read(1, 5));
    beat(run);
  }

  @Test
  void aClosedHistoryKnowsEveryWriterUntilTheSnapshotForgetsSome() {
    CheckerConfig config = PROMISED.withClosed(true).withWindow(2).withRetired(1);
    CheckRun run = start(config);
    committed(run, 1, 0, ops(ANY).write(1, 5));
    committed(run, 2, 0, ops(ANY).read(1, 5));
    beat(run);
    assertThat(run.report.readsDecided()).isEqualTo(1);
    for (int i = 1; i < 6; i++) {
      committed(run, 1, i, ops(ANY).write(1, 5 + i));
    }
    // Version 5 was forgotten, so that its second writer does not look like the only one.
    committed(run, 2, 1, ops(ANY).read(1, 5));
    committed(run, 1, 6, ops(ANY).write(1, 5));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsKey(UndecidedReason.AMBIGUOUS_WRITER);
  }

  @Test
  void absenceIsInitialInAnOpenHistoryOnlyIfDeletesAreImpossible() {
    CheckRun open = start(PROMISED.withUniqueVersions(true));
    absentAfterInsert(open);
    assertThat(open.anomalies).isEmpty();
    assertThat(open.report.undecided()).containsEntry(UndecidedReason.ABSENCE, 1L);
    CheckRun without = start(PROMISED.withUniqueVersions(true).withDeletes(false));
    absentAfterInsert(without);
    assertThat(without.anomalies).hasSize(1);
  }

  private static void absentAfterInsert(CheckRun run) {
    committed(run, 1, 0, ops(ANY).write(1, 5));
    committed(run, 1, 1, ops(ANY).readInitial(1));
    beat(run);
  }

  private static CheckRun start(CheckerConfig config) {
    return new CheckRun(config).accept(1, new Hello("p", "shop", "a", 100));
  }

  private static void beat(CheckRun run) {
    for (int i = 0; i < 3; i++) {
      run.accept(1, new Heartbeat("p", i, java.util.List.of()));
    }
  }

  private static Operations.Builder ops(Statement table) {
    return new Operations.Builder().statement(table);
  }

  private static void committed(CheckRun run, long session, long n, Operations.Builder ops) {
    run.accept(1, record(session, n, Outcome.COMMITTED, ops));
  }

  private static TransactionRecord record(
      long session, long sequence, Outcome outcome, Operations.Builder ops) {
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, "p", "shop", "a", "db", 7),
        sequence,
        sequence,
        0,
        outcome,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops.build());
  }
}
