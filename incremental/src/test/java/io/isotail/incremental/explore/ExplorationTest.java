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
  private static final int PROGRAMS = Integer.getInteger("isotail.programs", 700);
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
        for (Exploration.Share share : whole.shares(h -> keys.add(h.key()), () -> true, 8)) {
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
  void aTransactionMayReadMoreVariablesThanANumberHasBits() {
    StringBuilder text = new StringBuilder("var x[1 to 40] = 0;\nsession a { begin ");
    for (int i = 1; i <= 40; i++) {
      text.append("a").append(i).append(" := read(x[").append(i).append("]); ");
    }
    text.append("commit }\nsession b { begin write(x[33], 1); commit }\n");
    text.append("session c { begin write(x[1], 1); commit }\n");
    Program program = ProgramText.parse("wide", text.toString(), Map.of());
    for (IsolationLevel level : LEVELS) {
      assertThat(keys(Exploration.of(program, level))).hasSize(4).doesNotHaveDuplicates();
    }
  }

  @Test
  void transactionsThatShareNothingMakeTheSearchForAnOrderNoLonger() {
    StringBuilder text = new StringBuilder("var x = 0; var y = 0; var n = 0;\n");
    text.append(
        "session a { begin r := read(x); write(y, 1); m := read(n); write(n, m + 1); commit }\n");
    text.append(
        "session b { begin r := read(y); write(x, 1); m := read(n); write(n, m + 1); commit }\n");
    for (int i = 0; i < 26; i++) {
      text.append("session s%d { begin write(z%d, 1); commit }\n".formatted(i, i));
    }
    StringBuilder declared = new StringBuilder();
    for (int i = 0; i < 26; i++) {
      declared.append("var z%d = 0;\n".formatted(i));
    }
    Program program = ProgramText.parse("wide", declared + text.toString(), Map.of());
    assertThat(keys(Exploration.of(program, IsolationLevel.SNAPSHOT_ISOLATION))).hasSize(2);
    assertThat(keys(Exploration.of(program, IsolationLevel.SERIALIZABLE))).hasSize(2);
  }

  @Test
  void theSearchForAnOrderAsksWhetherItMayGoOn() {
    // Writers of one variable that nobody reads, and a lost update that no order explains.
    StringBuilder text = new StringBuilder("var n = 0; var z = 0;\n");
    for (int i = 0; i < 2; i++) {
      text.append("session a%d { begin m := read(n); write(n, m + 1); commit }\n".formatted(i));
    }
    for (int i = 0; i < 22; i++) {
      text.append("session s%d { begin write(z, %d); commit }\n".formatted(i, i));
    }
    Program program = ProgramText.parse("writers", text.toString(), Map.of());
    Exploration exploration = Exploration.of(program, IsolationLevel.SNAPSHOT_ISOLATION);
    long[] asked = {0};
    assertThat(exploration.run(history -> true, () -> ++asked[0] < 3)).isFalse();
    assertThat(asked[0]).isEqualTo(3);
    assertThat(exploration.limit()).isEqualTo(Limit.TIME);
    // What was not found out is neither yes nor no.
    Exploration causal = Exploration.of(program, IsolationLevel.CAUSAL);
    assertThatThrownBy(
            () ->
                causal.run(
                    history -> history.satisfies(IsolationLevel.SNAPSHOT_ISOLATION), () -> true))
        .isInstanceOf(SearchLimitException.class)
        .hasMessageContaining("at snapshot-isolation was given up after 4,000,000 steps");
  }

  @Test
  void transactionsOfOneNameAreToldApart() {
    Program program =
        ProgramText.parse(
            "twice",
            "var x = 0; transaction set() { write(x, 1); } session a { set(); set(); }",
            Map.of());
    Exploration.of(program, IsolationLevel.CAUSAL)
        .run(
            history -> {
              assertThat(history.name(1)).isEqualTo("a.set()#1");
              assertThat(history.name(2)).isEqualTo("a.set()#2");
              return true;
            },
            () -> true);
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
  void onlyWeakLevelsAreExploredForOthers() {
    Program program = new RandomPrograms(SEED).program(2);
    assertThatThrownBy(
            () ->
                new Exploration(
                    program,
                    IsolationLevel.PREFIX,
                    IsolationLevel.SERIALIZABLE,
                    Exploration.Method.SWAPPING))
        .hasMessage(
            "the histories of prefix cannot be explored; expected causal or a weaker level");
    assertThatThrownBy(
            () ->
                new Exploration(
                    program,
                    IsolationLevel.CAUSAL,
                    IsolationLevel.READ_COMMITTED,
                    Exploration.Method.SWAPPING))
        .hasMessageContaining("among those of causal, which is stronger");
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

  @Test
  void theHistoriesOfAWeakLevelAreFoundAmongThoseOfAWeakerOne() {
    for (int i = 0; i < PROGRAMS / 10; i++) {
      Program program = new RandomPrograms(SEED + i).program(5);
      Exploration filtered =
          new Exploration(
              program,
              IsolationLevel.READ_COMMITTED,
              IsolationLevel.CAUSAL,
              Exploration.Method.SWAPPING);
      assertThat(new TreeSet<>(keys(filtered)))
          .as("seed " + (SEED + i))
          .isEqualTo(new TreeSet<>(keys(Exploration.of(program, IsolationLevel.CAUSAL))));
    }
  }

  private static List<String> keys(Exploration exploration) {
    List<String> keys = new ArrayList<>();
    boolean exhausted = exploration.run(history -> keys.add(history.key()), () -> true);
    assertThat(exhausted).isTrue();
    return keys;
  }
}
