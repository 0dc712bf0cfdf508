package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row that is deleted and inserted again starts at version 1 again, whoever does it. */
final class VersionsThatComeBackTest {
  private static final CheckerConfig OPEN =
      CheckerConfig.forLive("h").withPromise(IsolationLevel.CAUSAL);

  @Test
  void aRowThatAnUnseenWriterInsertedAgainIsNotTheOneThatWasDeleted() {
    CheckRun run = new CheckRun(OPEN);
    run.accept(1, new Hello("p", "shop", "a", 100));
    run.accept(1, record("p", 1, 0, Outcome.COMMITTED, ops().write(1, 1)));
    run.accept(1, record("p", 2, 0, Outcome.COMMITTED, ops().read(1, 1).delete(1)));
    // Unseen: INSERT of key 1 with version 1.
    run.accept(1, record("p", 2, 1, Outcome.COMMITTED, ops().read(1, 1)));
    beat(run, "p", 1);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void aRowOfAnUnseenWriterIsReplacedUnderTheSameVersion() {
    CheckRun run = new CheckRun(OPEN);
    run.accept(1, new Hello("p", "shop", "a", 100));
    // Unseen: INSERT of key 1 with version 1.
    run.accept(1, record("p", 1, 0, Outcome.COMMITTED, ops().read(1, 1).delete(1).write(1, 1)));
    beat(run, "p", 1);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void aRowOfASilentProxyIsReplacedUnderTheSameVersion() {
    CheckRun run = new CheckRun(OPEN.withClosed(true));
    run.accept(1, new Hello("p", "shop", "a", 100));
    run.accept(1, new Hello("q", "shop", "b", 100));
    // Lost with proxy q: INSERT of key 1 with version 1.
    run.accept(1, record("p", 1, 0, Outcome.COMMITTED, ops().read(1, 1)));
    run.accept(1, record("p", 1, 1, Outcome.COMMITTED, ops().delete(1)));
    run.accept(1, record("p", 1, 2, Outcome.COMMITTED, ops().write(1, 1)));
    for (int i = 0; i < 18; i++) {
      run.accept(1 + i * 1_000L, new Heartbeat("p", i, List.of()));
    }
    assertThat(run.report.silentProxies()).isEqualTo(1);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void anUnknownOutcomeIsNotPromotedByAReadThatAnUnseenWriterExplains() {
    CheckRun run = new CheckRun(OPEN);
    run.accept(1, new Hello("p", "shop", "a", 100));
    run.accept(1, record("p", 1, 0, Outcome.COMMITTED, ops().write(2, 4)));
    run.accept(1, record("p", 2, 0, Outcome.UNKNOWN, ops().read(2, 4).write(2, 5).write(1, 2)));
    // It was rolled back. Unseen: UPDATE of key 1 to version 2.
    run.accept(1, record("p", 3, 0, Outcome.COMMITTED, ops().read(1, 2).read(2, 4)));
    beat(run, "p", 1);
    assertThat(run.anomalies).isEmpty();
  }

  private static void beat(CheckRun run, String proxy, long timeMs) {
    for (int i = 0; i < 3; i++) {
      run.accept(timeMs, new Heartbeat(proxy, i, List.of()));
    }
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static TransactionRecord record(
      String proxy, long session, long sequence, Outcome outcome, Operations.Builder ops) {
    return new TransactionRecord(
        new SessionInfo(session, proxy + "#" + session, proxy, "shop", "a", "db", 7),
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
