package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Commits that clients were told of otherwise than they ended, in random histories with a log. */
final class LostCommitsTest {
  private static final int TRANSACTIONS = 60;
  private static final int HISTORIES = Seeds.HISTORIES / 2;

  private final Map<AnomalyKind, int[]> found = new HashMap<>();

  @Test
  void whatIsToldWasPlanted() {
    run(LoggedHistory.Log.WHOLE);
    // Many show ids of savepoints alone, or no id, or are the last of their sessions.
    found.forEach(
        (kind, n) -> assertThat(n[0]).as("%s of %d", kind, n[1]).isGreaterThan(n[1] / 40));
    assertThat(found).hasSize(2);
  }

  @Test
  void whatIsToldWasPlantedWhereTheLogBeginsAgain() {
    run(LoggedHistory.Log.PAUSED);
    assertThat(found.values().stream().mapToInt(n -> n[0]).sum()).isPositive();
  }

  @Test
  void whatIsToldWasPlantedWhereSomethingOfTheLogIsLost() {
    run(LoggedHistory.Log.DAMAGED);
    assertThat(found).hasSize(2); // Of a log with so many holes few are told.
  }

  private void run(LoggedHistory.Log fate) {
    for (long seed : RandomHistory.seeds(Seeds.FRESH, HISTORIES)) {
      check(seed, fate);
    }
    found.forEach((kind, n) -> System.out.printf("%s: %d of %d told%n", kind, n[0], n[1]));
  }

  private void check(long seed, LoggedHistory.Log fate) {
    LoggedHistory history = new LoggedHistory(seed, TRANSACTIONS, fate, true, true);
    CheckRun run = history.checked(seed);
    told(run, AnomalyKind.LOST_COMMIT, history.lost, seed);
    told(run, AnomalyKind.UNASKED_COMMIT, history.unasked, seed);
  }

  private void told(CheckRun run, AnomalyKind kind, Set<String> planted, long seed) {
    int[] n = found.computeIfAbsent(kind, k -> new int[2]);
    n[1] += planted.size();
    for (Anomaly anomaly : run.anomalies) {
      if (anomaly.kind() == kind) {
        n[0]++;
        String name = anomaly.explanation().split(" ", 2)[0];
        assertThat(planted).as("seed %d: %s", seed, anomaly.explanation()).contains(name);
        assertThat(anomaly.level()).isEqualTo(IsolationLevel.READ_COMMITTED);
        assertThat(anomaly.evidence()).isNotNull();
      }
    }
  }
}
