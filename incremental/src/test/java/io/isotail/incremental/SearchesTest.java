package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When an order of versions is searched for, and what that may cost. */
final class SearchesTest {
  private static final CheckerConfig SNAPSHOTS =
      CheckerConfig.forLive("h")
          .withStrongest(IsolationLevel.SNAPSHOT_ISOLATION)
          .withUniqueVersions(true);
  private static final int UPDATES = 300;
  private static final int STUCK = 100;
  private static final int LONG = 3_000;

  /**
   * Of a row that all update, session 2 reads a version that nobody captured wrote, and its record
   * comes after those of many later updates. By its time all is in order.
   */
  @Test
  void aWriterThatNobodyCapturedIsPlacedByTheTimeOfItsReader() {
    CheckRun run = start();
    committed(run, 1, 0, 0, ops().write(9, 1));
    for (int n = 1; n <= UPDATES; n++) {
      Operations.Builder ops = ops().read(7, 100 + n).write(7, 101 + n);
      committed(run, 1, n, 1_000 + 10L * n, n == 1 ? ops.read(9, 1).write(9, 2) : ops);
    }
    committed(run, 2, 0, 500, ops().read(9, 1).read(7, 50).write(7, 51));
    run.finish();
    assertThat(run.report.verdicts()).containsEntry(run.report.checked(), Verdict.PASS);
    assertThat(run.report.searches()).isZero();
  }

  /** Two sessions have written a row, one after the other. */
  private static CheckRun withTwoVersions() {
    CheckRun run = new CheckRun(SNAPSHOTS.withProvenPerInterval(CheckerConfig.PROVE_ALL));
    run.accept(1, new Hello("p", "t", "1", 100));
    committed(run, 1, 0, 0, ops().write(7, 1));
    committed(run, 2, 0, 10, ops().read(7, 1).write(7, 2));
    return run;
  }

  /** As behind a replica that is stuck: the cycle of the last one leads along the whole session. */
  @Test
  void aSessionThatGoesBackToWhatWasOverwrittenIsToldEachTime() {
    CheckRun run = withTwoVersions();
    committed(run, 3, 0, 20, ops().read(7, 2));
    for (int n = 1; n <= STUCK; n++) {
      committed(run, 3, n, 20 + 10L * n, ops().read(7, 1).read(8, 1).write(8 + n, n));
    }
    run.finish();
    assertThat(run.anomalies).hasSize(1);
    assertThat(run.report.occurrences()).isEqualTo(STUCK);
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.UNPROVEN);
  }

  /** A session that is long when it begins to go back; its transactions are part of the graph. */
  @Test
  void aLongSessionThatGoesBackIsToldWithAShortProof() {
    CheckRun run = withTwoVersions();
    for (int n = 0; n < LONG; n++) {
      committed(run, 3, n, 20 + n, n == 5 ? ops().read(7, 2) : ops().write(8 + n, n));
    }
    committed(run, 4, 0, 20, ops().read(7, 1).write(8, 1_000));
    committed(run, 3, LONG, 20 + LONG, ops().read(7, 1));
    run.finish();
    assertThat(run.anomalies).hasSize(1);
    assertThat(run.anomalies.get(0).capsule()).hasSizeLessThan(6);
    assertThat(run.report.undecided()).doesNotContainKey(UndecidedReason.UNPROVEN);
  }

  /** Writers that read nothing, of two rows, with times that contradict what was read of them. */
  @Test
  void searchesOfAStreamHaveAnAllowanceThatIsSpent() {
    Random random = new Random(1);
    CheckRun run = start();
    int n = 0;
    for (int round = 0; round < 4; round++) {
      List<Integer> writers = IntStream.range(n, n + 250).boxed().toList();
      for (int w : writers) {
        committed(run, w, 0, random.nextInt(1_000_000), ops().write(1, w).write(2, w));
      }
      n += 250;
      List<Integer> seen = new ArrayList<>(writers);
      Collections.shuffle(seen, random);
      for (int i = 0; i < seen.size(); i++) {
        committed(run, 1_000_000 + round, i, 0, ops().read(1, seen.get(i)).read(2, seen.get(i)));
      }
    }
    run.finish();
    long transactions = run.report.transactions();
    assertThat(run.report.undecided()).containsKey(UndecidedReason.SEARCH_BUDGET);
    assertThat(run.report.searchSteps()).isLessThan(4_100_000 + 100 * transactions);
    assertThat(run.anomalies).isEmpty();
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private static CheckRun start() {
    return new CheckRun(SNAPSHOTS).accept(1, new Hello("p", "t", "1", 100));
  }

  private static void committed(
      CheckRun run, long session, long sequence, long beginNs, Operations.Builder ops) {
    run.accept(
        1,
        new TransactionRecord(
            new SessionInfo(session, "h", "p", "service", "1", "db", 0),
            sequence,
            sequence,
            0,
            Outcome.COMMITTED,
            "postgresql:repeatable-read",
            beginNs,
            beginNs + 5,
            "c",
            ops.build()));
  }
}
