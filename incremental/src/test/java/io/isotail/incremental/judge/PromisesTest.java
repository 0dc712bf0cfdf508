package io.isotail.incremental.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A session writes x twice, and y. Another reads y and writes z. The reader reads z, and the older
 * x: it had observed the newer one over two steps, which causal alone counts.
 */
class PromisesTest {
  private static final long X = 1;
  private static final long Y = 2;
  private static final long Z = 3;

  private static final List<CapsuleTransaction> CAPSULE =
      List.of(
          transaction(1, 0, ops().write(X, 1)),
          transaction(1, 1, ops().write(X, 2).write(Y, 1)),
          transaction(2, 0, ops().read(Y, 1).write(Z, 1)),
          transaction(3, 0, ops().read(Z, 1).read(X, 1)));

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static CapsuleTransaction transaction(
      long session, long number, Operations.Builder operations) {
    return CapsuleTransaction.of(
        new TransactionRecord(
            new SessionInfo(session, "s" + session, null, null, null, null, 0),
            number,
            number,
            0,
            Outcome.COMMITTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            operations.build()),
        10 * session + number);
  }

  /** A judge of causal, of which the reader was promised this level and the others causal. */
  private static Judge whereReaderWasPromised(IsolationLevel level) {
    return new Judge(
        IsolationLevel.CAUSAL,
        CheckerConfig.NEVER_COMPARED,
        t -> t.session().id() == 3 ? level : IsolationLevel.CAUSAL,
        Outsiders.NONE);
  }

  @Test
  void aReaderIsHeldToItsPromise() {
    for (IsolationLevel level : IsolationLevel.values()) {
      assertThat(whereReaderWasPromised(level).judge(CAPSULE))
          .as("%s", level)
          .isInstanceOf(
              level.atLeast(IsolationLevel.CAUSAL)
                  ? Judgement.Violated.class
                  : Judgement.Accepted.class);
    }
  }

  @Test
  void aProofThatHoldsAReaderToMoreIsRefused() {
    Judge all = new Judge(IsolationLevel.CAUSAL, CheckerConfig.NEVER_COMPARED);
    assertThat(all.judge(CAPSULE)).isInstanceOf(Judgement.Violated.class);
    Proof proof = ((Judgement.Violated) all.judge(CAPSULE)).proof();
    assertThat(whereReaderWasPromised(IsolationLevel.CAUSAL).confirms(CAPSULE, proof)).isTrue();
    assertThat(whereReaderWasPromised(IsolationLevel.READ_ATOMIC).confirms(CAPSULE, proof))
        .isFalse();
  }
}
