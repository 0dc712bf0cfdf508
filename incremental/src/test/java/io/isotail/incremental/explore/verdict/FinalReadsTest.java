package io.isotail.incremental.explore.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The records of a history tell the checker that final reads come last. */
final class FinalReadsTest {
  private static final Program PROGRAM =
      ProgramText.parse(
          "p",
          """
          var x = 0; var y = 0;
          session a { begin write(x, 1); write(y, 1); commit }
          session b { begin r := read(x); write(y, 2); commit }
          final { s := read(x); t := read(y); }
          """,
          Map.of());

  @Test
  void theCheckerFindsTheLevelsThatTheExplorationFinds() {
    int[] seen = new int[2];
    Exploration.of(PROGRAM, IsolationLevel.READ_COMMITTED)
        .run(
            history -> {
              Optional<IsolationLevel> violated =
                  ExploredWitness.of(history, IsolationLevel.READ_COMMITTED).anomalies().stream()
                      .map(Anomaly::level)
                      .min(Comparator.naturalOrder());
              assertThat(violated).as(history.key()).isEqualTo(weakestViolated(history));
              seen[violated.isPresent() ? 1 : 0]++;
              return true;
            },
            () -> true);
    assertThat(seen[0]).isPositive();
    assertThat(seen[1]).isPositive();
  }

  private static Optional<IsolationLevel> weakestViolated(ExploredHistory history) {
    for (IsolationLevel level : IsolationLevel.values()) {
      if (!level.followsRealTime() && !history.satisfies(level)) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }
}
