package io.isotail.monitor.explore.witness;

import static io.isotail.monitor.explore.witness.ExploredAnomaly.anomalies;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.RandomHistory;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Every anomaly of random histories: its program allows what happened at each level below the
 * weakest one that it violates, and at none from there on. A failure prints its seed.
 */
final class RandomWitnessTest {
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final int HISTORIES = Integer.getInteger("isotail.random.histories", 700);
  private static final int MOST_EXPLORED = 300;
  private static final int MOST_EXPLORED_OPERATIONS = 8;

  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  private static LevelAnswers answers(WitnessProgram witness) throws InterruptedException {
    return LevelAnswers.of(witness, program -> LevelAnswers.Search.NONE);
  }

  /** The weakest level that the capsule violates by itself, as the judge has it. */
  private static IsolationLevel weakestByDefinition(Anomaly anomaly) {
    return LEVELS.stream()
        .filter(
            level ->
                new Judge(level, CheckerConfig.NEVER_COMPARED).judge(anomaly.capsule())
                    instanceof Judgement.Violated)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anomaliesArePossibleBelowTheLevelThatTheyViolateAndExcludedFromThereOn()
      throws InterruptedException {
    long start = FIRST_SEED;
    Map<AnomalyKind, Integer> kinds = new TreeMap<>();
    int first = 0;
    for (long seed = start; seed < start + HISTORIES; seed++) {
      List<Anomaly> all =
          anomalies(seed % 2 == 0 ? RandomHistory.of(seed) : RandomHistory.concurrent(seed));
      for (Anomaly anomaly : all) {
        if (anomaly.kind() == AnomalyKind.THIN_AIR_READ) {
          continue; // It has no capsule.
        }
        kinds.merge(anomaly.kind(), 1, Integer::sum);
        WitnessProgram witness = WitnessProgram.of(anomaly);
        LevelAnswers answers = answers(witness);
        // What had broken a weaker level before is not counted again there.
        IsolationLevel weakest = weakestByDefinition(anomaly);
        if (all.stream().noneMatch(other -> other.level().compareTo(anomaly.level()) < 0)) {
          assertThat(weakest).as("seed %d, %s", seed, anomaly).isEqualTo(anomaly.level());
          first++;
        }
        assertThat(answers.possible())
            .as("seed %d, %s%n%s", seed, anomaly, witness.text())
            .isEqualTo(LEVELS.stream().filter(level -> level.compareTo(weakest) < 0).toList());
        assertThat(answers.excluded())
            .as("seed %d, %s", seed, anomaly)
            .isEqualTo(LEVELS.stream().filter(level -> level.atLeast(weakest)).toList());
        assertThat(answers.excludesFrom(anomaly.level())).isTrue();
      }
    }
    assertThat(kinds).hasSizeGreaterThan(10);
    assertThat(first).isGreaterThan(HISTORIES / 10);
  }

  /** Exploring the printed program gives the answers that come from its one history. */
  @Test
  void theAssertionOfThePrintedProgramFailsAtTheLevelsThatAllowTheAnomaly()
      throws InterruptedException {
    long start = FIRST_SEED;
    int explored = 0;
    for (long seed = start; explored < MOST_EXPLORED; seed++) {
      for (Anomaly anomaly : anomalies(RandomHistory.of(seed))) {
        int operations = anomaly.capsule().stream().mapToInt(t -> t.operations().size()).sum();
        boolean small = operations <= MOST_EXPLORED_OPERATIONS;
        if (anomaly.kind() == AnomalyKind.THIN_AIR_READ || !small) {
          continue;
        }
        WitnessProgram witness = WitnessProgram.of(anomaly);
        if (witness.never() != null || witness.readsLists()) {
          continue; // A read that is bad in itself is not in the program, nor is the order of a
          // list.
        }
        Program program = ProgramText.parse("printed", witness.text(), Map.of());
        LevelAnswers answers = answers(witness);
        for (IsolationLevel level : LEVELS) {
          assertThat(fails(program, level))
              .as("seed %d, %s, %s%n%s", seed, level, anomaly, witness.text())
              .isEqualTo(answers.possible().contains(level));
        }
        explored++;
      }
    }
  }

  /** Raising one transaction, against exploring the printed program at the same levels. */
  @Test
  void raisingOneTransactionIsEnoughFromTheLevelOnAtWhichThePrintedProgramHolds()
      throws InterruptedException {
    int asked = 0;
    for (long seed = FIRST_SEED; asked < MOST_EXPLORED; seed++) {
      for (Anomaly anomaly : anomalies(RandomHistory.of(seed))) {
        int operations = anomaly.capsule().stream().mapToInt(t -> t.operations().size()).sum();
        if (anomaly.kind() == AnomalyKind.THIN_AIR_READ || operations > MOST_EXPLORED_OPERATIONS) {
          continue;
        }
        WitnessProgram witness = WitnessProgram.of(anomaly);
        LevelAnswers answers = answers(witness);
        if (answers.ran().isEmpty()) {
          continue;
        }
        assertThat(answers.asRun()).as("seed %d, %s", seed, anomaly).isTrue();
        IsolationLevel others = answers.possible().get(answers.possible().size() - 1);
        Program program =
            ProgramText.parse("printed", witness.text(), Map.of())
                .withLevel(Program.FINAL, IsolationLevel.weakest());
        for (Raise raise : answers.raises()) {
          String kind = witness.parts().get(raise.group().parts().get(0)).kind();
          for (IsolationLevel level : LEVELS) {
            if (level.compareTo(others) > 0) {
              boolean excluded = raise.enough() != null && level.atLeast(raise.enough());
              assertThat(fails(program.withLevel(kind, level), others))
                  .as("seed %d, %s at %s, %s%n%s", seed, kind, level, anomaly, witness.text())
                  .isEqualTo(!excluded);
              asked++;
            }
          }
        }
      }
    }
  }

  private static boolean fails(Program program, IsolationLevel level) {
    boolean[] failed = new boolean[1];
    Exploration.of(program, level)
        .run(
            history -> {
              failed[0] = history.failure() != null;
              return !failed[0];
            },
            () -> true);
    return failed[0];
  }
}
