package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is published of an anomaly, its capsule, its proof and its cycle, is one thing. */
final class PublishedProofTest {
  private static final int HISTORIES = Seeds.HISTORIES;
  private static final long FIRST_SEED = Seeds.FIRST;

  @Test
  void everyKeyThatAnEdgeNamesIsInTheCapsule() {
    int edges = 0;
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history =
          ReplacedVersionsIn.of(
              seed % 2 == 0 ? RandomHistory.of(seed) : ConcurrentHistory.of(seed), seed);
      CheckRun run =
          CheckRun.of(
              CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE), seed, history);
      for (Anomaly anomaly : run.anomalies) {
        Map<String, CapsuleTransaction> byName =
            anomaly.capsule().stream()
                .collect(
                    Collectors.toMap(CapsuleTransaction::name, t -> t, (a, b) -> a, TreeMap::new));
        for (CycleEdge edge : anomaly.cycle()) {
          edges++;
          for (String end : List.of(edge.from(), edge.to())) {
            String message =
                "seed %d, %s of %s%n%s"
                    .formatted(seed, edge, anomaly, RandomHistory.describe(history));
            assertThat(byName.containsKey(end) || end.equals("initial")).as(message).isTrue();
            assertThat(
                    edge.key() == null
                        || end.equals("initial")
                        || names(byName.get(end), edge.key()))
                .as(message)
                .isTrue();
          }
        }
        assertThat(anomaly.cycle().isEmpty() && anomaly.kind() == AnomalyKind.COMMIT_ORDER_CYCLE)
            .isFalse();
      }
    }
    System.out.printf("%d edges name keys that their capsules hold%n", edges);
    assertThat(edges).isGreaterThan(HISTORIES / 4);
  }

  private static boolean names(CapsuleTransaction t, String key) {
    Operations ops = t.operations();
    for (int i = 0; i < ops.size(); i++) {
      if (Long.toUnsignedString(ops.key(i)).equals(key)) {
        return true;
      }
    }
    return false;
  }

  /** Confirmed by the proof that is published with it, and by trying all where that is possible. */
  @Test
  void everyPublishedAnomalyIsConfirmed() {
    Tally tally = new Tally();
    for (long seed : RandomHistory.seeds(FIRST_SEED, HISTORIES)) {
      List<TransactionRecord> history = ReplacedVersionsIn.of(ConcurrentHistory.of(seed), seed);
      tally.add(seed, RandomHistory.shuffled(history, seed), Integer.MAX_VALUE);
    }
    assertThat(tally.seedsWithUnproven).isEmpty();
    tally.print("whole histories");
    assertThat(tally.strong).isGreaterThan(HISTORIES / 20);
  }

  /** Long enough for capsules of many transactions and keys with many writers. */
  @Test
  void longHistoriesAndSmallWindowsAreConfirmedToo() {
    Tally whole = new Tally();
    Tally windows = new Tally();
    for (long seed : RandomHistory.seeds(FIRST_SEED, Math.max(100, HISTORIES / 40))) {
      List<TransactionRecord> history =
          ReplacedVersionsIn.of(ConcurrentHistory.of(seed, 150), seed);
      whole.add(seed, history, Integer.MAX_VALUE);
      windows.add(seed, history, 2 + (int) (seed % 30));
    }
    whole.print("histories of 150 transactions");
    windows.print("the same with windows of 2 to 31");
    assertThat(whole.unproven * 100).isLessThan(whole.strong);
    assertThat(whole.strong).isPositive();
  }

  /** What was published and what was not. */
  private static final class Tally {
    private long weak;
    private long strong;
    private long unproven;
    private final List<Long> seedsWithUnproven = new ArrayList<>();
    private int largest;
    private long nanoseconds;

    void add(long seed, List<TransactionRecord> history, int window) {
      long uncertaintyNs = seed % 3 == 0 ? Long.MAX_VALUE : seed % 5;
      CheckerConfig config =
          CheckerConfig.forFile("h", IsolationLevel.STRICT_SERIALIZABLE)
              .withClockUncertainty(uncertaintyNs)
              .withWindow(window);
      CheckRun run = CheckRun.of(config, seed, history);
      long notProven = run.report.undecided().getOrDefault(UndecidedReason.UNPROVEN, 0L);
      unproven += notProven;
      if (notProven > 0) {
        seedsWithUnproven.add(seed);
      }
      for (Anomaly anomaly : run.anomalies) {
        if (anomaly.kind() == AnomalyKind.THIN_AIR_READ) {
          assertThat(anomaly.proof()).isNull();
          continue;
        }
        strong += anomaly.level().atLeast(IsolationLevel.PREFIX) ? 1 : 0;
        weak += anomaly.level().atLeast(IsolationLevel.PREFIX) ? 0 : 1;
        largest = Math.max(largest, anomaly.capsule().size());
        Judge judge = new Judge(anomaly.level(), uncertaintyNs);
        String message = "seed %d, %s".formatted(seed, anomaly);
        long before = System.nanoTime();
        assertThat(judge.confirms(anomaly.capsule(), Objects.requireNonNull(anomaly.proof())))
            .as(message)
            .isTrue();
        nanoseconds += System.nanoTime() - before;
        assertThat(judge.triesAll(anomaly.capsule()).orElse(true)).as(message).isTrue();
        for (int i = 0; i < anomaly.capsule().size(); i++) {
          List<CapsuleTransaction> less = new ArrayList<>(anomaly.capsule());
          less.remove(i);
          assertThat(judge.judge(less)).as(message).isInstanceOf(Judgement.Accepted.class);
        }
      }
    }

    void print(String what) {
      System.out.printf(
          "%s: %d anomalies up to causal and %d from prefix on confirmed, the largest capsule has %d"
              + " transactions, a proof is checked in %.1f us; %d unproven%n",
          what, weak, strong, largest, nanoseconds / 1e3 / Math.max(1, weak + strong), unproven);
    }
  }
}
