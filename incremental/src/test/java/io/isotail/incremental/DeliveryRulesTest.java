package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the checker waits for, and what it makes of what never comes. */
final class DeliveryRulesTest {
  private static final Statement TABLE = new Statement("t", "");
  private static final CheckerConfig LIVE =
      CheckerConfig.forLive("h")
          .withPromise(IsolationLevel.CAUSAL)
          .withClosed(true)
          .withUniqueVersions(true);
  private final CheckRun run = new CheckRun(LIVE);

  @Test
  void aMissingWriterIsWaitedForUntilTheSecondHeartbeat() {
    hello("p");
    committed("p", 1, 0, ops().read(1, 9));
    assertThat(run.report.pendingTransactions()).isEqualTo(1);
    heartbeat("p", 0);
    assertThat(run.report.pendingTransactions()).isEqualTo(1);
    heartbeat("p", 1);
    assertThat(run.report.pendingTransactions()).isZero();
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.THIN_AIR_READ);
  }

  @Test
  void anOpenTransactionHoldsTheHorizonUntilItEnds() {
    hello("p");
    committed("p", 1, 0, ops().read(1, 9));
    for (int i = 0; i < 10; i++) {
      heartbeat("p", i, new Heartbeat.OpenTransaction(2, 0));
    }
    assertThat(run.report.pendingTransactions()).isEqualTo(1);
    committed("p", 2, 0, ops().write(1, 9));
    assertThat(run.report.pendingTransactions()).isZero();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isEqualTo(1.0);
  }

  @Test
  void everyLiveProxyMustHaveSpoken() {
    hello("p");
    hello("q");
    committed("p", 1, 0, ops().read(1, 9));
    for (int i = 0; i < 5; i++) {
      heartbeat("p", i);
    }
    assertThat(run.report.pendingTransactions()).isEqualTo(1);
    run.accept(1, new Goodbye("q"));
    assertThat(run.report.pendingTransactions()).isZero();
  }

  @Test
  void aGapTurnsAnUnknownVersionIntoUndecided() {
    hello("p");
    run.accept(1, new Gap("p", 3));
    committed("p", 1, 0, ops().read(1, 9));
    for (int i = 0; i < 3; i++) {
      heartbeat("p", i);
    }
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.LOST_RECORDS, 1L);
    assertThat(run.report.lostRecords()).isEqualTo(3);
  }

  /** The broker was away, or the machine stood still. */
  @Test
  void whereAllWereSilentAtOnceNobodyIsTakenForDead() {
    hello("p");
    hello("q");
    committed("p", 1, 0, ops().read(1, 9));
    run.accept(3_600_000, new Heartbeat("p", 0, List.of()));
    run.accept(3_600_100, new Heartbeat("p", 1, List.of()));
    run.accept(3_600_200, record("q", 2, 0, 0, 0, Outcome.COMMITTED, ops().write(1, 9)));
    for (int i = 0; i < 2; i++) {
      run.accept(3_600_300, new Heartbeat("p", 2 + i, List.of()));
      run.accept(3_600_300, new Heartbeat("q", i, List.of()));
    }
    assertThat(run.report.silentProxies()).isZero();
    assertThat(run.report.pendingTransactions()).isZero();
    assertThat(run.report.readsDecided()).isEqualTo(1);
    assertThat(run.report.undecided()).isEmpty();
  }

  @Test
  void aProxyThatFallsSilentMayHaveLostItsTail() {
    hello("p");
    hello("q");
    committed("p", 1, 0, ops().read(1, 9));
    for (int i = 0; i < 18; i++) {
      run.accept(1 + i * 1_000L, new Heartbeat("p", i, List.of()));
    }
    assertThat(run.report.silentProxies()).isEqualTo(1);
    assertThat(run.report.liveProxies()).isEqualTo(1);
    assertThat(run.report.pendingTransactions()).isZero();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.LOST_RECORDS, 1L);
  }

  @Test
  void duplicatesAreDroppedAndHolesAreLosses() {
    hello("p");
    committed("p", 1, 0, ops().write(1, 1));
    committed("p", 1, 0, ops().write(1, 1));
    committed("p", 1, 3, ops().write(1, 2));
    assertThat(run.report.duplicateRecords()).isEqualTo(1);
    assertThat(run.report.lostRecords()).isEqualTo(2);
    assertThat(run.report.transactions()).isEqualTo(2);
  }

  @Test
  void chunksMakeOneTransaction() {
    hello("p");
    run.accept(1, record("p", 1, 0, 7, 0, Outcome.OPEN, ops().write(1, 1)));
    run.accept(1, record("p", 1, 1, 7, 1, Outcome.OPEN, ops().write(2, 1)));
    assertThat(run.report.transactions()).isZero();
    run.accept(1, record("p", 1, 2, 7, 2, Outcome.COMMITTED, ops().read(1, 1)));
    assertThat(run.report.transactions()).isEqualTo(1);
    assertThat(run.report.operations()).isEqualTo(3);
    assertThat(run.report.coverage()).isEqualTo(1.0);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void aTransactionWithALostChunkIsExemptFromTheInternalAxioms() {
    hello("p");
    committed("p", 2, 0, ops().write(1, 5));
    run.accept(1, record("p", 1, 0, 7, 0, Outcome.OPEN, ops().write(1, 1)));
    // A chunk that wrote key 1 again is lost.
    run.accept(1, record("p", 1, 2, 7, 2, Outcome.COMMITTED, ops().read(1, 5)));
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void manySessionsWithoutAnEndHoldABoundedNumberOfOperations() {
    hello("p");
    int sessions = 500;
    for (int session = 0; session < sessions; session++) {
      Operations.Builder ops = ops();
      for (int i = 0; i < 10_000; i++) {
        ops.write(((long) session << 32) + i, 1);
      }
      run.accept(1, record("p", session, 0, 7, 0, Outcome.OPEN, ops));
    }
    AtomicLong savedBytes = new AtomicLong();
    run.checker.save(chunk -> savedBytes.addAndGet(chunk.length));
    assertThat(savedBytes.get()).isLessThan(40_000_000);
    assertThat(run.report.lostRecords()).isBetween(250L, (long) sessions);
    assertThat(run.report.undecided()).containsKey(UndecidedReason.CAPACITY);

    // The oldest has lost its beginning, the youngest is whole.
    run.accept(1, record("p", 0, 1, 7, 1, Outcome.COMMITTED, ops().read(1, 5)));
    run.accept(1, record("p", sessions - 1L, 1, 7, 1, Outcome.COMMITTED, ops()));
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.operations()).isEqualTo(10_001);
  }

  @Test
  void absenceIsInitialOnlyWhileNoDeleteExplainsIt() {
    hello("p");
    committed("p", 1, 0, ops().write(1, 5));
    committed("p", 1, 1, ops().delete(1));
    committed("p", 1, 2, ops().readInitial(1).readInitial(2));
    for (int i = 0; i < 3; i++) {
      heartbeat("p", i);
    }
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.ABSENCE, 1L);
    assertThat(run.report.readsDecided()).isEqualTo(1);
  }

  @Test
  void absenceAfterOnesOwnInsertIsASessionGuaranteeViolation() {
    hello("p");
    committed("p", 1, 0, ops().write(1, 5));
    committed("p", 1, 1, ops().readInitial(1));
    for (int i = 0; i < 3; i++) {
      heartbeat("p", i);
    }
    assertThat(run.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.SESSION_GUARANTEE_VIOLATION);
  }

  @Test
  void anOpaqueWriteExplainsUnknownVersionsOfItsTableOnly() {
    hello("p");
    committed("p", 1, 0, ops().statement(TABLE).opaque());
    committed("p", 1, 1, ops().statement(TABLE).read(1, 9));
    committed("p", 1, 2, ops().statement(new Statement("u", "")).read(2, 9));
    for (int i = 0; i < 3; i++) {
      heartbeat("p", i);
    }
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.OPAQUE_WRITE, 1L);
    assertThat(run.anomalies).extracting(Anomaly::table).containsExactly("u");
  }

  @Test
  void versionsThatAreNotUniqueAreDecidedOnlyWhenOneWriterCommitted() {
    CheckRun counters =
        new CheckRun(CheckerConfig.forLive("h").withClosed(true).withUniqueVersions(false));
    counters.accept(1, new Hello("p", "shop", "a", 100));
    // An aborted attempt and its retry install the same number.
    counters.accept(1, record("p", 1, 0, 0, 0, Outcome.ABORTED, ops().write(1, 1)));
    counters.accept(1, record("p", 1, 1, 1, 0, Outcome.COMMITTED, ops().write(1, 1)));
    counters.accept(1, record("p", 2, 0, 0, 0, Outcome.COMMITTED, ops().read(1, 1)));
    for (int i = 0; i < 3; i++) {
      counters.accept(1, new Heartbeat("p", i, List.of()));
    }
    assertThat(counters.anomalies).isEmpty();
    assertThat(counters.report.coverage()).isEqualTo(1.0);
    counters.accept(1, record("p", 3, 0, 0, 0, Outcome.COMMITTED, ops().write(1, 1)));
    counters.accept(1, record("p", 2, 1, 1, 0, Outcome.COMMITTED, ops().read(1, 1)));
    for (int i = 3; i < 6; i++) {
      counters.accept(1, new Heartbeat("p", i, List.of()));
    }
    assertThat(counters.report.undecided()).containsEntry(UndecidedReason.AMBIGUOUS_WRITER, 1L);
  }

  @Test
  void aWriterThatTakesTooLongIsNotWaitedForAndNotCalledThinAir() {
    hello("p");
    Heartbeat.OpenTransaction open = new Heartbeat.OpenTransaction(2, 0);
    committed("p", 1, 0, ops().read(1, 9).readInitial(2));
    for (int i = 0; i < 70; i++) {
      run.accept(1 + i * 1_000L, new Heartbeat("p", i, List.of(open)));
    }
    assertThat(run.report.pendingTransactions()).isZero();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.LATE_WRITER, 2L);
    // It arrives after all: too late for that reader, in time for the next one.
    committed("p", 2, 0, ops().write(1, 9));
    committed("p", 1, 1, ops().read(1, 9));
    assertThat(run.report.readsDecided()).isEqualTo(1);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void tooManyWaitingTransactionsGoOnWithoutWhatTheyWaitFor() {
    CheckerConfig config = LIVE.withPending(10);
    CheckRun small = new CheckRun(config);
    small.accept(1, new Hello("p", "shop", "a", 100));
    for (int i = 0; i < 100; i++) {
      small.accept(1, record("p", i, 0, 0, 0, Outcome.COMMITTED, ops().read(i, 9)));
      assertThat(small.report.pendingTransactions()).isLessThanOrEqualTo(10);
    }
    assertThat(small.anomalies).isEmpty();
    assertThat(small.report.undecided()).containsEntry(UndecidedReason.CAPACITY, 90L);
  }

  @Test
  void aReaderPromisedLessIsNoPremise() {
    CheckRun promised = new CheckRun(CheckerConfig.forFile("h", IsolationLevel.CAUSAL));
    List<TransactionRecord> fractured = Dsl.history("a: wx1 ; b: rx1 wx2 wy3 ; c: rx1 ry3");
    for (TransactionRecord t : fractured) {
      promised.accept(
          0,
          new TransactionRecord(
              t.session(),
              t.sequence(),
              t.transaction(),
              0,
              t.outcome(),
              "postgresql:read-committed",
              0,
              0,
              null,
              t.operations()));
    }
    assertThat(promised.finish().anomalies).isEmpty();
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private void hello(String proxy) {
    run.accept(1, new Hello(proxy, "shop", "a", 100));
  }

  private void heartbeat(String proxy, long number, Heartbeat.OpenTransaction... open) {
    run.accept(1, new Heartbeat(proxy, number, List.of(open)));
  }

  private void committed(String proxy, long session, long sequence, Operations.Builder ops) {
    run.accept(1, record(proxy, session, sequence, sequence, 0, Outcome.COMMITTED, ops));
  }

  private static TransactionRecord record(
      String proxy,
      long session,
      long sequence,
      long transaction,
      int chunk,
      Outcome outcome,
      Operations.Builder ops) {
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, proxy, "shop", "a", "db", 0),
        sequence,
        transaction,
        chunk,
        outcome,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops.build());
  }
}
