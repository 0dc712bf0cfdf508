package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.RandomHistory;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.explore.witness.ExploredAnomaly;
import io.isotail.monitor.explore.witness.LevelAnswers;
import io.isotail.monitor.explore.witness.Raise;
import io.isotail.monitor.explore.witness.WitnessProgram;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Raising of anomalies of random histories: what is enough leaves only histories that are explored
 * also where all transactions run at the violated level. A failure prints its seed.
 */
final class RandomRaiseTest {
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final int MOST_ASKED = Integer.getInteger("isotail.random.raises", 1_500);
  private static final int MOST_OPERATIONS = 10;
  private static final LevelRun.Limits LIMITS =
      new LevelRun.Limits(Long.MAX_VALUE, Long.MAX_VALUE, 1, MemoryBounds.DEFAULT, false);

  @Test
  void whatIsEnoughLeavesNoHistoryThatViolatesTheLevel() throws InterruptedException {
    int asked = 0;
    int enough = 0;
    int found = 0;
    for (long seed = FIRST_SEED; asked < MOST_ASKED; seed++) {
      for (Anomaly random : ExploredAnomaly.anomalies(RandomHistory.of(seed))) {
        if (random.kind() == AnomalyKind.THIN_AIR_READ || operations(random) > MOST_OPERATIONS) {
          continue;
        }
        Anomaly anomaly = seed % 2 == 0 ? random : at(random, "read-committed");
        WitnessProgram witness = WitnessProgram.of(anomaly);
        LevelAnswers answers = WitnessRun.answers(witness, LIMITS, () -> 0);
        Set<String> allowed = keys(witness.program(), anomaly.level());
        for (Raise raise : answers.raises()) {
          String seen = "seed %d, %s%n%s".formatted(seed, raise, witness.text());
          IsolationLevel least = raise.enough();
          if (least != null) {
            assertThat(allowed).as(seen).containsAll(raised(witness, answers, raise, least));
            enough++;
          }
          IsolationLevel most = raise.allowed();
          if (most != null) {
            Set<String> all = raised(witness, answers, raise, most);
            assertThat(allowed.containsAll(all)).as(seen).isFalse();
            found += raise.found() == null ? 0 : 1;
          }
          asked++;
        }
      }
    }
    assertThat(enough).isGreaterThan(MOST_ASKED / 10);
    assertThat(found).isPositive();
  }

  private static int operations(Anomaly anomaly) {
    return anomaly.capsule().stream().mapToInt(t -> t.operations().size()).sum();
  }

  /** The anomaly, of transactions that ran at this level. */
  private static Anomaly at(Anomaly anomaly, String level) {
    List<CapsuleTransaction> capsule =
        anomaly.capsule().stream()
            .map(
                t ->
                    new CapsuleTransaction(
                        t.name(),
                        t.session(),
                        t.position(),
                        t.transaction(),
                        t.outcome(),
                        level,
                        t.offset(),
                        t.times(),
                        t.operations()))
            .toList();
    return SampleAnomalies.with(anomaly, anomaly.cause(), capsule);
  }

  /** The histories with the executions of one transaction of the code at a level or above. */
  private static Set<String> raised(
      WitnessProgram witness, LevelAnswers answers, Raise raise, IsolationLevel level) {
    Program program = witness.program();
    for (int i : IntStream.range(0, witness.parts().size()).toArray()) {
      IsolationLevel own = answers.ran().get(i).level();
      boolean up = raise.group().parts().contains(i) && level.atLeast(own);
      program = program.withLevel(witness.parts().get(i).kind(), up ? level : own);
    }
    return keys(program, IsolationLevel.weakest());
  }

  private static Set<String> keys(Program program, IsolationLevel level) {
    IsolationLevel explored = level.weakerOf(IsolationLevel.SERIALIZABLE);
    Set<String> keys = new HashSet<>();
    Exploration.of(program, explored)
        .run(
            history -> {
              keys.add(history.key());
              return true;
            },
            () -> true);
    return keys;
  }
}
