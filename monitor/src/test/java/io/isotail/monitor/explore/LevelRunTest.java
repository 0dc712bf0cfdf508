package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is thrown while threads share a level's work. */
final class LevelRunTest {
  private static final String ADDS =
      "begin a := read(n); write(n, a + 1); commit begin b := read(n); write(n, b + 1); commit";

  /** A program that no thread explores alone before the others begin. */
  private static Program program(String last) {
    return ProgramText.parse(
        "p",
        """
        var n = 0;
        session a { %1$s }
        session b { %1$s }
        session c { %1$s }
        final { a := read(n); %2$s }
        """
            .formatted(ADDS, last),
        Map.of());
  }

  private static LevelRun.Result run(
      Program program, int threads, Predicate<ExploredHistory> wanted) throws InterruptedException {
    return run(program, threads, MemoryBounds.DEFAULT, wanted);
  }

  private static LevelRun.Result run(
      Program program, int threads, MemoryBounds memory, Predicate<ExploredHistory> wanted)
      throws InterruptedException {
    return new LevelRun(
            program,
            IsolationLevel.CAUSAL,
            Exploration.Method.SWAPPING,
            new LevelRun.Limits(Long.MAX_VALUE, Long.MAX_VALUE, threads, memory, false),
            wanted)
        .run();
  }

  /** Throws on a thread that is not the test's, or on the test's own if there is no other one. */
  private static Predicate<ExploredHistory> throwing(int threads, Error error) {
    Thread own = Thread.currentThread();
    return history -> {
      if (threads == 1 || Thread.currentThread() != own) {
        throw error;
      }
      return false;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void anErrorIsThrownAsItIs(int threads) {
    Error error = new StackOverflowError("of the test");
    assertThatThrownBy(() -> run(program("assert true;"), threads, throwing(threads, error)))
        .isSameAs(error);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void whatRunsOutOfMemoryIsNotExhausted(int threads) throws InterruptedException {
    Error error = new OutOfMemoryError("of the test");
    LevelRun.Result result = run(program("assert true;"), threads, throwing(threads, error));
    assertThat(result.verdict().limit()).isEqualTo(Limit.MEMORY);
    assertThat(result.verdict().exhausted()).isFalse();
    assertThat(result.verdict().fail()).isFalse();
  }

  @Test
  void theProgramIsExhaustedWhereNothingIsThrown() throws InterruptedException {
    LevelRun.Result result = run(program("assert true;"), 2, history -> false);
    assertThat(result.verdict().limit()).isNull();
    assertThat(result.verdict().hold()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void whatHoldsTooManyValuesIsNotExhausted(int threads) throws InterruptedException {
    for (int values = 1; values < 8; values++) {
      MemoryBounds memory = new MemoryBounds(1_000, values);
      LevelRun.Result result = run(program("assert true;"), threads, memory, history -> false);
      assertThat(result.verdict().limit()).as("%d values", values).isEqualTo(Limit.VALUES);
      assertThat(result.verdict().exhausted()).isFalse();
      assertThat(result.verdict().hold()).isFalse();
    }
  }

  /** However many threads share the work, all of them together hold no more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void threadsShareTheBoundOfRememberedSteps(int threads) throws InterruptedException {
    Program program = program("assert true;");
    LevelRun.Result whole = run(program, threads, history -> false);
    assertThat(whole.memory().rememberedSteps()).isGreaterThan(20);
    MemoryBounds memory = new MemoryBounds(20, 1_000);
    LevelRun.Result bounded = run(program, threads, memory, history -> false);
    assertThat(bounded.memory().rememberedSteps()).isBetween(1L, 20L);
    assertThat(bounded.verdict().histories()).isEqualTo(whole.verdict().histories());
    assertThat(bounded.verdict().hold()).isTrue();
    assertThat(bounded.memory().openExecutions()).isPositive();
    assertThat(bounded.memory().heldValues()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aMistakeInTheProgramIsToldAlike(int threads) throws InterruptedException {
    Program mistaken = program("if a == 6 { b := a / (a - 6); }");
    LevelRun.Result result = run(mistaken, threads, history -> false);
    assertThat(result.error())
        .isInstanceOf(SourceError.class)
        .hasMessage("line 5, column 42: division by zero");
    assertThat(result.verdict().fail()).isTrue();
    assertThat(result.verdict().exhausted()).isFalse();
  }
}
