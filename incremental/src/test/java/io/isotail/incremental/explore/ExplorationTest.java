package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Explored histories are those of the definitions, each once. */
final class ExplorationTest {
  private static final int PROGRAMS = Integer.getInteger("isotail.programs", 2_000);
  private static final long SEED = Long.getLong("isotail.seed", 20_261_124L);
  private static final List<IsolationLevel> LEVELS =
      List.of(
          IsolationLevel.READ_COMMITTED,
          IsolationLevel.READ_ATOMIC,
          IsolationLevel.CAUSAL,
          IsolationLevel.PREFIX,
          IsolationLevel.SNAPSHOT_ISOLATION,
          IsolationLevel.SERIALIZABLE);

  @Test
  void randomProgramsHaveTheHistoriesOfTheDefinitionsEachOnce() {
    long histories = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      long seed = SEED + i;
      String text = new RandomPrograms(seed).text(5);
      Program program = new RandomPrograms(seed).program(5);
      NaiveHistories naive = new NaiveHistories(program);
      for (IsolationLevel level : LEVELS) {
        Exploration exploration = Exploration.of(program, level);
        List<String> keys = keys(exploration);
        Set<String> distinct = new TreeSet<>(keys);
        String where = "seed " + seed + " at " + level + "\n" + text;
        assertThat(distinct).as(where).isEqualTo(naive.at(level));
        assertThat(keys).as("each once, " + where).hasSameSizeAs(distinct);
        if (level.isWeak()) {
          assertThat(exploration.blocked()).as("blocked, " + where).isZero();
        }
        histories += keys.size();
      }
    }
    System.out.printf(
        "explore: %,d programs from seed %d, %,d histories, no difference%n",
        PROGRAMS, SEED, histories);
  }

  @Test
  void depthFirstFindsTheSameHistories() {
    for (int i = 0; i < PROGRAMS / 10; i++) {
      Program program = new RandomPrograms(SEED + i).program(5);
      for (IsolationLevel level : LEVELS) {
        IsolationLevel weak = level.isWeak() ? level : IsolationLevel.CAUSAL;
        Exploration plain = new Exploration(program, weak, level, Exploration.Method.DEPTH_FIRST);
        assertThat(new TreeSet<>(keys(plain)))
            .as("seed " + (SEED + i))
            .isEqualTo(new TreeSet<>(keys(Exploration.of(program, level))));
      }
    }
  }

  private static List<String> keys(Exploration exploration) {
    List<String> keys = new ArrayList<>();
    boolean exhausted = exploration.run(history -> keys.add(history.key()), () -> true);
    assertThat(exhausted).isTrue();
    return keys;
  }
}
