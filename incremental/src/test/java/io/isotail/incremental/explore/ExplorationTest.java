package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /**
   * The formula "swapped" of Bouajjani, Enea and Román-Calvo (PLDI 2023, Section 5.3) finds 26 of
   * these 30 histories: it takes the last read of s0 for swapped where s1 reads from s2.
   */
  @Test
  void aReadFromATransactionThatWasMovedBeforeAnotherOneIsNotTakenForSwapped() {
    Program program =
        ProgramText.parse(
            "moved",
            """
            var x = 0; var y = 0; var z = 0;
            session s0 { begin a := read(y); a := read(x); a := read(z); commit }
            session s1 {
              begin write(y, 101); a := read(z); a := read(z); commit
              begin a := read(x); write(x, 112); a := read(x); commit
            }
            session s2 { begin write(y, 201); write(z, 202); a := read(z); commit }
            """,
            Map.of());
    List<String> keys = keys(Exploration.of(program, IsolationLevel.READ_COMMITTED));
    assertThat(keys).hasSize(30).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(keys))
        .isEqualTo(new NaiveHistories(program).at(IsolationLevel.READ_COMMITTED));
  }

  @Test
  void threadsShareTheWorkAndFindTheSame() {
    for (int i = 0; i < PROGRAMS / 10; i++) {
      Program program = new RandomPrograms(SEED + i).program(6);
      for (IsolationLevel level : LEVELS) {
        Exploration whole = Exploration.of(program, level);
        List<String> keys = new ArrayList<>();
        for (Exploration.Share share : whole.shares(h -> keys.add(h.key()), 8)) {
          Exploration helper = whole.helper();
          helper.take(share);
          helper.run(history -> keys.add(history.key()), () -> true);
        }
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(new TreeSet<>(keys))
            .as("seed " + (SEED + i))
            .isEqualTo(new TreeSet<>(keys(Exploration.of(program, level))));
      }
    }
  }

  @Test
  void whatIsStoppedIsNotExhausted() {
    Program program = new RandomPrograms(SEED).program(5);
    Exploration stopped = Exploration.of(program, IsolationLevel.READ_COMMITTED);
    assertThat(stopped.run(history -> false, () -> true)).isFalse();
    assertThat(stopped.histories()).isEqualTo(1);
  }

  @Test
  void strictSerializabilityIsNotOffered() {
    Program program = new RandomPrograms(SEED).program(2);
    assertThatThrownBy(() -> Exploration.of(program, IsolationLevel.STRICT_SERIALIZABLE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a program has none");
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
