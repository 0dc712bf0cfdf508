package io.isotail.incremental.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an exploration holds in memory has a bound, and reaching one is never a pass. */
final class MemoryBoundsTest {
  private static final Program COUNTER =
      ProgramText.parse(
          "counter",
          """
          var n = 0;
          session a { begin m := read(n); write(n, m + 1); commit begin m := read(n); write(n, m + 1); commit }
          session b { begin m := read(n); write(n, m + 10); commit }
          session c { begin m := read(n); write(n, m + 100); commit }
          """,
          Map.of());

  private static Exploration exploration(int rememberedSteps, int heldValues) {
    return Exploration.of(
        COUNTER,
        IsolationLevel.CAUSAL,
        Exploration.Method.SWAPPING,
        new MemoryBounds(rememberedSteps, heldValues));
  }

  private static List<String> keys(Exploration exploration) {
    List<String> keys = new ArrayList<>();
    exploration.run(history -> keys.add(history.key()), () -> true);
    return keys;
  }

  @ParameterizedTest
  @EnumSource(Exploration.Method.class)
  void moreValuesThanAllowedEndTheExplorationWithoutAPass(Exploration.Method method) {
    Exploration whole = Exploration.of(COUNTER, IsolationLevel.CAUSAL, method);
    assertThat(whole.run(history -> true, () -> true)).isTrue();
    assertThat(whole.limit()).isNull();
    int needed = whole.heldValues();
    for (int held = 1; held < needed; held++) {
      Exploration bounded =
          Exploration.of(COUNTER, IsolationLevel.CAUSAL, method, new MemoryBounds(100, held));
      assertThat(bounded.run(history -> true, () -> true)).as("%d values", held).isFalse();
      assertThat(bounded.limit()).isEqualTo(Limit.VALUES);
      assertThat(bounded.run(history -> true, () -> true)).as("goes no further").isFalse();
    }
    Exploration enough =
        Exploration.of(COUNTER, IsolationLevel.CAUSAL, method, new MemoryBounds(100, needed));
    assertThat(enough.run(history -> true, () -> true)).isTrue();
  }

  @Test
  void moreStepsThanAllowedAreRunAgain() {
    List<String> all = keys(exploration(1_000, 1_000));
    assertThat(all).hasSizeGreaterThan(10);
    for (int steps = 0; steps < 10; steps++) {
      Exploration bounded = exploration(steps, 1_000);
      assertThat(keys(bounded)).containsExactlyElementsOf(all);
      assertThat(bounded.limit()).isNull();
      assertThat(bounded.rememberedSteps()).isEqualTo(steps);
    }
  }

  @Test
  void sharesThatHoldTooManyValuesAreNotExhausted() {
    Exploration whole = exploration(1_000, 1);
    assertThat(whole.shares(history -> true, () -> true, 4)).isEmpty();
    assertThat(whole.limit()).isEqualTo(Limit.VALUES);
    // What one exploration has given away is too much for another one.
    Exploration large = exploration(1_000, 1_000);
    Exploration small = exploration(1_000, 1);
    large.shares(history -> true, () -> true, 4).forEach(small::take);
    assertThat(small.run(history -> true, () -> true)).isFalse();
    assertThat(small.limit()).isEqualTo(Limit.VALUES);
  }

  @Test
  void whoShareTheWorkShareTheBounds() {
    MemoryBounds part = new MemoryBounds(100, 1_000).part(3);
    assertThat(part).isEqualTo(new MemoryBounds(33, 333));
    assertThat(new MemoryBounds(2, 2).part(3)).isEqualTo(new MemoryBounds(0, 1));
    assertThatThrownBy(() -> new MemoryBounds(0, 0)).hasMessageContaining("heldValues=0");
  }

  @Test
  void whatTheVisitorStopsHasReachedNoLimit() {
    Exploration stopped = exploration(0, 1_000);
    assertThat(stopped.run(history -> false, () -> true)).isFalse();
    assertThat(stopped.limit()).isNull();
  }

  @Test
  void waysThatAreOpenAreCountedWhileTheyAreShared() {
    Exploration whole = exploration(1_000, 1_000);
    assertThat(whole.shares(history -> true, () -> true, 4)).hasSizeGreaterThanOrEqualTo(4);
    assertThat(whole.mostOpen()).isPositive();
  }
}
