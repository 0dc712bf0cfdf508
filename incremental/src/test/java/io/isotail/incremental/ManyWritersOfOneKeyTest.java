package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One key with a blind writer in each of many sessions, so that the order of its versions is known
 * only by what is read, and each writer has an edge to each that is read later.
 */
final class ManyWritersOfOneKeyTest {
  private static final int WRITERS = 60;
  private static final long KEY = 7;

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100, 50, 20})
  void newestToOldestIsAnOrderOfThem(int window) {
    CheckRun run = started(window);
    readNewestToOldest(run, 1_000);
    readNewestToOldest(run, 1_001);
    run.finish();
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.PASS);
  }

  /** Each step contradicts all that the first session has seen; each edge is told once. */
  @Test
  void anotherSessionThatReadsThemTheOtherWayRoundContradictsItEachTime() {
    CheckRun run = started(1_000);
    readNewestToOldest(run, 1_000);
    for (int v = 1; v <= WRITERS; v++) {
      committed(run, 1_001, v - 1, new Operations.Builder().read(KEY, v));
    }
    run.finish();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.FAIL);
    assertThat(run.anomalies).hasSize(WRITERS * (WRITERS - 1) / 2);
    Set<String> ids = new HashSet<>();
    for (Anomaly anomaly : run.anomalies) {
      assertThat(ids.add(anomaly.id())).isTrue();
      assertThat(anomaly.level()).isEqualTo(IsolationLevel.CAUSAL);
    }
  }

  private static CheckRun started(int window) {
    CheckRun run =
        new CheckRun(CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(window));
    for (int w = 1; w <= WRITERS; w++) {
      committed(run, w, 0, new Operations.Builder().write(KEY, w));
    }
    return run;
  }

  private static void readNewestToOldest(CheckRun run, long session) {
    for (int v = WRITERS; v >= 1; v--) {
      committed(run, session, WRITERS - v, new Operations.Builder().read(KEY, v));
    }
  }

  private static void committed(
      CheckRun run, long session, long sequence, Operations.Builder operations) {
    run.accept(
        1,
        new TransactionRecord(
            SessionInfo.ofFile(session, "s" + session),
            sequence,
            sequence,
            0,
            Outcome.COMMITTED,
            null,
            TransactionRecord.NO_TIME,
            TransactionRecord.NO_TIME,
            null,
            operations.build()));
  }
}
