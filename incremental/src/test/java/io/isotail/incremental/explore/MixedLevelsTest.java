package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Programs whose transactions run at levels of their own. */
final class MixedLevelsTest {
  private static final int PROGRAMS = Integer.getInteger("isotail.programs", 700);
  private static final int MIXES = Integer.getInteger("isotail.mixes", 4);
  private static final long SEED = Long.getLong("isotail.seed", 20_261_124L);
  private static final List<IsolationLevel> LEVELS =
      Arrays.stream(IsolationLevel.values()).filter(level -> !level.followsRealTime()).toList();

  @Test
  void randomMixesHaveTheHistoriesOfTheDefinitionsEachOnce() {
    long histories = 0;
    long mixed = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      long seed = SEED + i;
      Random random = new Random(seed);
      String text = new RandomPrograms(seed).text(5);
      Program program = new RandomPrograms(seed).program(5);
      NaiveHistories naive = new NaiveHistories(program);
      for (int mix = 0; mix < MIXES; mix++) {
        IsolationLevel others = LEVELS.get(random.nextInt(LEVELS.size()));
        List<IsolationLevel> levels = new ArrayList<>();
        Program declared = program;
        for (String kind : program.kinds()) {
          IsolationLevel level = others;
          if (random.nextInt(3) > 0) {
            level = LEVELS.get(random.nextInt(LEVELS.size()));
            declared = declared.withLevel(kind, level);
          }
          levels.add(level);
        }
        Exploration exploration = Exploration.of(declared, others);
        List<String> keys = keys(exploration);
        Set<String> distinct = new TreeSet<>(keys);
        String where = "seed %d, levels %s\n%s".formatted(seed, levels, text);
        assertThat(distinct).as(where).isEqualTo(naive.at(levels));
        assertThat(keys).as("each once, " + where).hasSameSizeAs(distinct);
        if (levels.stream().allMatch(IsolationLevel::isWeak)) {
          assertThat(exploration.blocked()).as("blocked, " + where).isZero();
        }
        histories += keys.size();
        mixed += new TreeSet<>(levels).size() > 1 ? 1 : 0;
      }
    }
    System.out.printf(
        "mixed: %,d programs from seed %d, %,d mixes of levels, %,d histories, no difference%n",
        PROGRAMS, SEED, mixed, histories);
    assertThat(mixed).isGreaterThan(PROGRAMS);
  }

  private static List<String> keys(Exploration exploration) {
    List<String> keys = new ArrayList<>();
    assertThat(exploration.run(history -> keys.add(history.key()), () -> true)).isTrue();
    return keys;
  }

  private static final String SKEW =
      """
      var x = 0; var y = 0;
      transaction one() { a := read(y); write(x, 1); }
      transaction two() { a := read(x); write(y, 1); }
      session s { one(); }
      session t { two(); }
      """;

  private static long histories(String text, IsolationLevel level) {
    return keys(Exploration.of(ProgramText.parse("p", text, Map.of()), level)).size();
  }

  /** One of them comes first in the order; only a serializable one demands something of it. */
  @Test
  void writeSkewNeedsBothToBeSerializable() {
    Program skew = ProgramText.parse("skew", SKEW, Map.of());
    assertThat(keys(Exploration.of(skew, IsolationLevel.SERIALIZABLE))).hasSize(2);
    assertThat(keys(Exploration.of(skew, IsolationLevel.SNAPSHOT_ISOLATION))).hasSize(3);
    for (String kind : List.of("one", "two")) {
      Program one = skew.withLevel(kind, IsolationLevel.SNAPSHOT_ISOLATION);
      assertThat(keys(Exploration.of(one, IsolationLevel.SERIALIZABLE))).hasSize(3);
    }
  }

  /** The conflict axiom of the transaction at snapshot isolation counts writers at any level. */
  @Test
  void snapshotIsolationSeesWritersAtWeakerLevels() {
    String text =
        """
        var n = 0;
        transaction up() { a := read(n); write(n, a + 1); }
        session s { up() at %s; }
        session t { up() at %s; }
        """;
    assertThat(histories(text.formatted("read-committed", "prefix"), IsolationLevel.CAUSAL))
        .isEqualTo(3);
    assertThat(
            histories(
                text.formatted("snapshot-isolation", "read-committed"), IsolationLevel.CAUSAL))
        .isEqualTo(3);
    assertThat(
            histories(
                text.formatted("snapshot-isolation", "snapshot-isolation"), IsolationLevel.CAUSAL))
        .isEqualTo(2);
  }

  @Test
  void levelsAreDeclaredAtTransactionsCallsBlocksAndTheFinalReads() {
    Program program =
        ProgramText.parse(
            "p",
            """
            var x = 0;
            transaction set() at read-committed { write(x, 1); }
            session s { set(); set() at serializable; begin at prefix at := read(x); commit }
            session t { begin at := read(x); commit }
            final at causal { a := read(x); }
            """,
            Map.of());
    assertThat(program.kinds()).containsExactly("set", "s.t3", "t.t1", "final");
    assertThat(program.isMixed()).isTrue();
    assertThat(program.declaresEveryLevel()).isFalse();
    List<IsolationLevel> declared = new ArrayList<>();
    Exploration.of(program, IsolationLevel.CAUSAL)
        .run(
            history -> {
              for (int t = 1; t <= history.transactions(); t++) {
                declared.add(history.declared(t));
              }
              return false;
            },
            () -> true);
    assertThat(declared)
        .containsExactly(
            IsolationLevel.READ_COMMITTED,
            IsolationLevel.SERIALIZABLE,
            IsolationLevel.PREFIX,
            null,
            IsolationLevel.CAUSAL);
  }

  @Test
  void whatIsNoLevelIsRefused() {
    assertThatThrownBy(() -> histories("session s { begin at best commit }", LEVELS.get(0)))
        .hasMessageContaining("line 1, column 22")
        .hasMessageContaining("isolation level 'best' is unknown; expected one of read-committed");
    assertThatThrownBy(
            () -> histories("session s { begin at strict-serializable commit }", LEVELS.get(0)))
        .hasMessageContaining("strict-serializable cannot be explored");
    Program program = ProgramText.parse("p", SKEW, Map.of());
    assertThatThrownBy(() -> program.withLevel("three", IsolationLevel.CAUSAL))
        .hasMessage("p has no transaction 'three'; expected one of one, two");
    assertThatThrownBy(() -> program.withLevel("one", IsolationLevel.STRICT_SERIALIZABLE))
        .hasMessageContaining("strict-serializable cannot be explored");
  }
}
