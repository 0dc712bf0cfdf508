package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReplayTest {
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final int PROGRAMS = 300;

  /** Sources of each transaction, as {@link ExploredHistory#key} has them. */
  private static Replay.Sources sources(List<List<Integer>> given) {
    return (transaction, read, variable) -> given.get(transaction - 1).get(read);
  }

  private static List<List<Integer>> sources(ExploredHistory history) {
    List<List<Integer>> all = new ArrayList<>();
    for (int t = 1; t <= history.transactions(); t++) {
      all.add(history.reads(t).stream().map(ExploredHistory.Read::source).toList());
    }
    return all;
  }

  /** The histories of read committed, each replayed, satisfy the levels that allow them. */
  @Test
  void aReplayedHistorySatisfiesTheLevelsThatAllowIt() {
    long seed = FIRST_SEED;
    RandomPrograms random = new RandomPrograms(seed);
    for (int i = 0; i < PROGRAMS; i++) {
      Program program = random.program(4);
      Map<IsolationLevel, Set<String>> allowed = new HashMap<>();
      List<List<List<Integer>>> weakest = new ArrayList<>();
      for (IsolationLevel level : IsolationLevel.values()) {
        Set<String> keys = new HashSet<>();
        if (!level.followsRealTime()) {
          Exploration.of(program, level)
              .run(
                  history -> {
                    if (level == IsolationLevel.weakest()) {
                      weakest.add(sources(history));
                    }
                    keys.add(history.key());
                    return true;
                  },
                  () -> true);
          allowed.put(level, keys);
        }
      }
      for (List<List<Integer>> given : weakest) {
        ExploredHistory replayed = Replay.of(program, sources(given)).orElseThrow();
        assertThat(sources(replayed)).isEqualTo(given);
        allowed.forEach(
            (level, keys) ->
                assertThat(replayed.satisfies(level))
                    .as("seed %d, %s, %s", seed, level, given)
                    .isEqualTo(keys.contains(replayed.key())));
      }
    }
  }

  private static final String TEXT =
      """
      var x = 0; var y = 0;
      session a { begin n := read(y); write(x, 1); commit begin abort; commit }
      session b { begin m := read(x); write(y, 1); commit }
      """;

  @Test
  void readsThatNoLevelAllowsGiveNoHistory() {
    Program program = ProgramText.parse("p", TEXT, Map.of());
    assertThat(Replay.of(program, (t, read, variable) -> 0)).isPresent();
    assertThat(Replay.of(program, (t, read, variable) -> t == 3 ? 1 : 0)).isPresent();
    assertThat(Replay.of(program, (t, read, variable) -> t == 3 ? 1 : 3))
        .as("both read from each other")
        .isEmpty();
    assertThat(Replay.of(program, (t, read, variable) -> t == 3 ? 2 : 0))
        .as("it aborted")
        .isEmpty();
    assertThat(Replay.of(program, (t, read, variable) -> t == 3 ? 3 : 0)).as("itself").isEmpty();
    assertThatThrownBy(() -> Replay.of(program, (t, read, variable) -> 4))
        .hasMessage("a.t1 cannot read from transaction 4; expected 0 to 3");
    Program twice =
        ProgramText.parse(
            "p",
            """
            var x = 0; var y = 0;
            session a { begin write(x, 1); write(y, 1); commit }
            session b { begin m := read(x); n := read(y); commit }
            """,
            Map.of());
    assertThat(Replay.of(twice, (t, read, variable) -> read == 0 ? 1 : 0))
        .as("read committed: y was overwritten when x was read")
        .isEmpty();
    assertThat(Replay.of(twice, (t, read, variable) -> read == 0 ? 0 : 1)).isPresent();
  }

  @Test
  void transactionsThatDeclareALevelAreAskedForThat() {
    Program lost =
        ProgramText.parse(
            "p",
            """
            var x = 0;
            session a { begin n := read(x); write(x, 1); commit }
            session b { begin m := read(x); write(x, 2); commit }
            """,
            Map.of());
    Replay.Sources initial = (t, read, variable) -> 0;
    ExploredHistory history = Replay.of(lost, initial).orElseThrow();
    assertThat(history.satisfies(IsolationLevel.PREFIX)).isTrue();
    assertThat(history.satisfies(IsolationLevel.SNAPSHOT_ISOLATION)).isFalse();
    Program one = lost.withLevel("a.t1", IsolationLevel.SNAPSHOT_ISOLATION);
    assertThat(Replay.of(one, initial).orElseThrow().satisfies(IsolationLevel.READ_COMMITTED))
        .isTrue();
    Program both = one.withLevel("b.t1", IsolationLevel.SNAPSHOT_ISOLATION);
    assertThat(Replay.of(both, initial).orElseThrow().satisfies(IsolationLevel.READ_COMMITTED))
        .isFalse();
  }
}
