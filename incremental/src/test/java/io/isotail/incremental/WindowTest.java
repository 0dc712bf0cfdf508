package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the window may forget, and what it must not miss. */
final class WindowTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  /**
   * Whenever W consecutive delivered transactions, cut out as an open history, violate a level, the
   * windowed run has failed the level, and reported an anomaly whose left-out edge, or bad read,
   * lies among them, or which the last of them has closed: the witness shown is the shortest, and
   * may use a transaction of before instead. Its own level may be a stronger one: Algorithm 1
   * leaves some edges to transitivity, and the cut may take out the transaction in between.
   */
  @Test
  void aViolationWithinTheWindowIsNeverMissed() {
    int violations = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      int window = 2 + (int) (seed % 5);
      // Committed transactions only and no reads from later ones: delivery order is arrival order.
      List<TransactionRecord> history = ReplacedVersionsIn.of(RandomHistory.of(seed), seed);
      if (!deliveredInArrivalOrder(history)) {
        continue;
      }
      CheckRun run =
          new CheckRun(CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(window), seed);
      int[] foundBefore = new int[history.size()];
      for (int end = 1; end <= history.size(); end++) {
        foundBefore[end - 1] = run.anomalies.size();
        run.accept(0, history.get(end - 1));
        int before = foundBefore[Math.max(0, end - window)];
        List<Anomaly> closed = run.anomalies.subList(before, run.anomalies.size());
        List<TransactionRecord> slice = history.subList(Math.max(0, end - window), end);
        for (IsolationLevel level : run.report.verdicts().keySet()) {
          if (!NaiveChecker.satisfies(CheckRun.inputs(slice), level, false)) {
            violations++;
            assertThat(run.report.verdicts().get(level))
                .as(
                    "seed %d, window %d, end %d at %s%n%s",
                    seed, window, end, level, RandomHistory.describe(history))
                .isEqualTo(Verdict.FAIL);
            assertThat(run.anomalies)
                .as(
                    "seed %d, window %d, end %d at %s%n%s",
                    seed, window, end, level, RandomHistory.describe(history))
                .anyMatch(a -> liesIn(a, slice) || closed.contains(a));
          }
        }
      }
    }
    assertThat(violations).isGreaterThan(HISTORIES / 20);
  }

  /**
   * Whether delivery order is tried first, for as long as it lasts and again after a while, or the
   * relation is saturated from the beginning: the verdicts are the same after every record. Only
   * where a transaction is promoted after its successors have left the window, what is still known
   * of them depends on the clocks that are left, and one may say undecided where the other has
   * found a violation; and where there is none, one may have dropped an edge that the other never
   * needed.
   */
  @Test
  void everyTuningGivesTheSameVerdictsAllAlong() {
    int failed = 0;
    int differ = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES / 10)) {
      List<TransactionRecord> history =
          RandomHistory.shuffled(
              ReplacedVersionsIn.of(RandomHistory.of(seed, 20 + (int) (seed % 40)), seed), seed);
      CheckerConfig config =
          CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(2 + (int) (seed % 13));
      CheckRun saturating = new CheckRun(config, CheckRun.TUNINGS.get(0).saturating());
      List<CheckRun> others = CheckRun.TUNINGS.stream().map(t -> new CheckRun(config, t)).toList();
      for (TransactionRecord record : history) {
        saturating.accept(0, record);
        for (CheckRun other : others) {
          other.accept(0, record);
          for (IsolationLevel level : saturating.report.verdicts().keySet()) {
            Set<Verdict> said =
                EnumSet.of(
                    saturating.report.verdicts().get(level), other.report.verdicts().get(level));
            boolean late = said.equals(EnumSet.of(Verdict.FAIL, Verdict.UNDECIDED));
            differ += said.size() > 1 ? 1 : 0;
            boolean dropped = said.equals(EnumSet.of(Verdict.PASS, Verdict.UNDECIDED));
            assertThat(
                    said.size() == 1
                        || (late && someUnknown(history))
                        || (dropped && holds(history, level)))
                .as("seed %d at %s: %s%n%s", seed, level, said, RandomHistory.describe(history))
                .isTrue();
          }
        }
      }
      failed += saturating.report.verdicts().containsValue(Verdict.FAIL) ? 1 : 0;
    }
    assertThat(failed).isBetween(HISTORIES / 200, HISTORIES * 19 / 200);
    assertThat(differ).isLessThan(HISTORIES / 100);
  }

  private static boolean holds(List<TransactionRecord> history, IsolationLevel level) {
    return NaiveChecker.satisfies(CheckRun.inputs(history), level, true);
  }

  private static boolean someUnknown(List<TransactionRecord> history) {
    return history.stream().anyMatch(t -> t.outcome() == Outcome.UNKNOWN);
  }

  private static boolean liesIn(Anomaly anomaly, List<TransactionRecord> slice) {
    Set<String> names = new HashSet<>();
    names.add("initial");
    slice.forEach(t -> names.add(t.session().name() + "/" + t.transaction()));
    if (anomaly.cycle().isEmpty()) {
      return anomaly.capsule().isEmpty()
          || anomaly.capsule().stream().allMatch(t -> names.contains(t.name()));
    }
    CycleEdge leftOut = anomaly.cycle().get(anomaly.cycle().size() - 1);
    return names.contains(leftOut.from()) && names.contains(leftOut.to());
  }

  private static boolean deliveredInArrivalOrder(List<TransactionRecord> history) {
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).outcome() != Outcome.COMMITTED) {
        return false;
      }
      for (int j = i + 1; j < history.size(); j++) {
        if (readsFrom(history.get(i).operations(), history.get(j).operations())) {
          return false;
        }
      }
      if (readsFromNobody(history, history.get(i).operations())) {
        return false;
      }
    }
    return true;
  }

  private static boolean readsFromNobody(List<TransactionRecord> history, Operations reader) {
    for (int r = 0; r < reader.size(); r++) {
      int read = r;
      boolean known =
          reader.versionKind(r) != io.isotail.incremental.record.VersionKind.KNOWN
              || history.stream().anyMatch(t -> writes(t.operations(), reader, read));
      if (!known) {
        return true;
      }
    }
    return false;
  }

  private static boolean readsFrom(Operations reader, Operations writer) {
    for (int r = 0; r < reader.size(); r++) {
      if (reader.kind(r) == io.isotail.incremental.record.OperationKind.READ
          && writes(writer, reader, r)) {
        return true;
      }
    }
    return false;
  }

  private static boolean writes(Operations writer, Operations reader, int r) {
    for (int w = 0; w < writer.size(); w++) {
      if (writer.kind(w) == io.isotail.incremental.record.OperationKind.WRITE
          && reader.versionKind(r) == io.isotail.incremental.record.VersionKind.KNOWN
          && writer.key(w) == reader.key(r)
          && writer.version(w) == reader.version(r)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void whatTheWindowForgotIsBeyondReachAndNeverAnAlarm() {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(2);
    CheckRun run =
        CheckRun.of(
            config, Dsl.history("a: wx1 ; b: rx1 wx2 ; c: wz1 ; c: wz2 ; c: wz3 ; d: rx2 rx1"));
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.PASS);
    assertThat(run.report.edgesDropped()).isPositive();
  }

  @Test
  void aTruncatedAbortedOrIntermediateVersionIsStillCaught() {
    CheckerConfig config = CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(2);
    List<TransactionRecord> history =
        Dsl.history("a!: wx1 ; b: wy1 wy2 ; c: wz1 ; c: wz2 ; c: wz3 ; d: rx1 ry1");
    CheckRun run = CheckRun.of(config, history);
    assertThat(run.anomalies)
        .extracting(Anomaly::kind)
        .containsExactly(AnomalyKind.ABORTED_READ, AnomalyKind.INTERMEDIATE_READ);
    AgainstNaiveTest.checkCapsules(run, 0, history);
  }

  /** A long run over ever new sessions and keys keeps no more than the window and its snapshot. */
  @Test
  void stateDoesNotGrowWithTheStream() {
    int window = 1_000;
    CheckerConfig live = CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(window);
    CheckRun run = new CheckRun(live);
    Random random = new Random(1);
    long[] latest = new long[50];
    for (int n = 0; n < 100_000; n++) {
      long session = n / 20;
      int key = random.nextInt(latest.length);
      Operations.Builder ops = new Operations.Builder();
      if (latest[key] != 0) {
        ops.read(key, latest[key]);
      }
      latest[key] = n + 1;
      ops.write(key, n + 1).write(1_000 + n, 1);
      run.checker.accept(
          n,
          0,
          new TransactionRecord(
              SessionInfo.ofFile(session, "s" + session),
              n % 20,
              n % 20,
              0,
              Outcome.COMMITTED,
              null,
              0,
              0,
              null,
              ops.build()));
    }
    CheckerReport report = run.checker.report();
    assertThat(run.anomalies).isEmpty();
    assertThat(report.windowTransactions()).isEqualTo(window);
    assertThat(report.truncated()).isEqualTo(100_000 - window);
    assertThat(report.liveSessions()).isBetween(window / 20, window / 20 + 2);
    assertThat(report.coverage()).isEqualTo(1.0);
    assertThat(report.sessions()).isEqualTo(5_000);
  }

  @Test
  void aPromotedTransactionIsNeverTruncatedWhileItWaits() {
    List<TransactionRecord> history = new ArrayList<>();
    history.addAll(Dsl.history("a?: wx1 ry7 ; b: rx1 ; c: wz1 ; c: wz2 ; c: wz3"));
    CheckRun run =
        CheckRun.of(CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(2), history);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.THIN_AIR_READ);
  }
}
