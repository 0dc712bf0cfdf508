package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chains and rings of transactions as long as a log may make them. */
final class LongChainsTest {
  /** Each reads what the one before wrote; nobody knows whether any but the last committed. */
  @ParameterizedTest
  @CsvSource({
    "false, 100000, 100000, true",
    "false, 100000, 100000, false",
    "true, 100000, 100000, true",
    "true, 100000, 100000, false",
    "false, 5000, 1, true"
  })
  void aReaderPromotesAllThatItRestsOn(
      boolean readerFirst, int length, int sessions, boolean unique) {
    List<TransactionRecord> history = unknownChain(readerFirst, length, sessions);
    CheckRun run =
        CheckRun.of(
            CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE)
                .withWindow(length)
                .withUniqueVersions(unique),
            history);
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
    assertThat(run.report.unknown()).isZero();
    assertThat(run.report.transactions()).isEqualTo(length);
  }

  private static List<TransactionRecord> unknownChain(
      boolean readerFirst, int length, int sessions) {
    List<TransactionRecord> chain = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      Operations.Builder ops = new Operations.Builder();
      if (i > 0) {
        ops.read(i - 1, 1);
      }
      Outcome outcome = i < length - 1 ? Outcome.UNKNOWN : Outcome.COMMITTED;
      chain.add(transaction(i % sessions, i / sessions, outcome, ops.write(i, 1)));
    }
    if (readerFirst) {
      Collections.reverse(chain);
    }
    return chain;
  }

  /** Each reads what the next one overwrites, or writes; nothing of the cycle is supposed. */
  @ParameterizedTest
  @CsvSource({
    "rw, 200, serializable, dangerous-structure, G2-item",
    "rw, 300, serializable, dangerous-structure, G2-item",
    "rw, 3000, serializable, dangerous-structure, G2-item",
    "wr, 300, read-committed, causality-cycle, G1c",
    "wr, 3000, read-committed, causality-cycle, G1c",
    "update, 300, serializable, dangerous-structure, G2-item",
    "fork, 300, prefix, commit-order-cycle, G-nonadjacent",
    "session, 300, read-committed, causality-cycle, G1c-session",
  })
  void aRingIsItsOwnProofAtAnyLength(
      String kind, int length, String level, String name, String adya) {
    for (boolean shuffled : new boolean[] {false, true}) {
      List<TransactionRecord> history = ring(kind, length);
      if (shuffled) {
        history = RandomHistory.shuffled(history, 1);
      }
      CheckRun run =
          CheckRun.of(CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE), history);
      assertIsWholeRing(run, history.size(), level, name, adya);
    }
  }

  @Test
  void aRingWithinTheWindowIsToldLiveAndALongerOneIsNot() {
    List<TransactionRecord> history = ring("rw", 600);
    assertIsWholeRing(live(history, 600), 600, "serializable", "dangerous-structure", "G2-item");
    CheckRun cut = live(history, 500);
    assertThat(cut.anomalies).isEmpty();
    assertThat(cut.report.edgesDropped()).isPositive();
  }

  private static CheckRun live(List<TransactionRecord> history, int window) {
    CheckRun run =
        new CheckRun(
            CheckerConfig.forLive("h")
                .withPromise(IsolationLevel.SERIALIZABLE)
                .withClosed(true)
                .withUniqueVersions(true)
                .withDeletes(false)
                .withWindow(window));
    history.forEach(record -> run.accept(0, record));
    return run;
  }

  private static void assertIsWholeRing(
      CheckRun run, int length, String level, String name, String adya) {
    IsolationLevel violated = IsolationLevel.ofLabel(level);
    for (IsolationLevel each : IsolationLevel.values()) {
      if (each != IsolationLevel.STRICT_SERIALIZABLE || run.report.verdicts().containsKey(each)) {
        assertThat(run.report.verdicts())
            .containsEntry(each, each.atLeast(violated) ? Verdict.FAIL : Verdict.PASS);
      }
    }
    assertThat(run.anomalies).hasSize(1);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.level()).isEqualTo(violated);
    assertThat(anomaly.kind().label()).isEqualTo(name);
    assertThat(anomaly.adya()).isEqualTo(adya);
    assertThat(anomaly.capsule()).hasSize(length);
    assertThat(anomaly.cycle()).hasSizeLessThanOrEqualTo(length);
    assertThat(anomaly.explanation()).hasSizeLessThan(1_000).containsPattern(" and [0-9,]+ more");
    Judge judge = new Judge(violated, CheckerConfig.NEVER_COMPARED);
    assertThat(judge.confirms(anomaly.capsule(), anomaly.proof())).isTrue();
    List<CapsuleTransaction> less = new ArrayList<>(anomaly.capsule());
    less.set(7, less.get(7).with(Operations.EMPTY));
    assertThat(judge.confirms(less, anomaly.proof())).isFalse();
  }

  /** Sessions of one transaction each; of two where the ring goes over sessions too. */
  private static List<TransactionRecord> ring(String kind, int length) {
    List<TransactionRecord> ring = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      int next = (i + 1) % length;
      Operations.Builder ops = new Operations.Builder();
      switch (kind) {
        case "rw" -> ops.readInitial(i).write(next, 1);
        case "wr" -> ops.read(i, 1).write(next, 1);
        case "update" -> ops.readInitial(i).readInitial(next).write(next, 1);
        case "fork" -> {
          // Writer i, and a reader that saw it and missed the next one.
          ring.add(transaction(length + i, 0, Outcome.COMMITTED, ops().write(i, 1)));
          ops.read(i, 1).readInitial(next);
        }
        case "session" -> {
          ring.add(transaction(i, 0, Outcome.COMMITTED, ops().read(i, 1)));
          ops.write(next, 1);
        }
        default -> throw new IllegalArgumentException(kind);
      }
      ring.add(transaction(i, kind.equals("session") ? 1 : 0, Outcome.COMMITTED, ops));
    }
    return ring;
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static TransactionRecord transaction(
      int session, long sequence, Outcome outcome, Operations.Builder ops) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
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
