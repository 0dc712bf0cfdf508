package io.isotail.incremental.explore.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What transactions pass to each other through a Java variable is an error, not a result. */
final class SharedVariablesTest {
  private static AssertionVerdict explore(CodeProgram program, IsolationLevel level) {
    return AssertionVerdict.of(program.build(), level, () -> true);
  }

  private static void assertThatNamed(CodeProgram program, IsolationLevel level, String name) {
    assertThatThrownBy(() -> explore(program, level))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageStartingWith(name + " is not deterministic: ")
        .hasMessageContaining("values pass by keep and kept, not by a Java variable or field");
  }

  private static CodeProgram copying(TransactionCode... copy) {
    return CodeProgram.named("copying")
        .initially("x", 0L)
        .initially("y", 1L)
        .session("a", tx -> tx.put("x", 1L))
        .session("b", copy)
        .finalReads(tx -> tx.check(tx.getLong("y") == 1, "y"));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STRICT_SERIALIZABLE")
  void aValueFromAnEarlierTransactionOfTheSessionIsFound(IsolationLevel level) {
    long[] seen = new long[1];
    assertThatNamed(
        copying(tx -> seen[0] = tx.getLong("x"), tx -> tx.put("y", seen[0])), level, "b.t2");
    assertThat(
            explore(
                    copying(
                        tx -> tx.keep("seen", tx.getLong("x")),
                        tx -> tx.put("y", tx.kept("seen", Long.class))),
                    level)
                .fail())
        .isTrue();
  }

  @Test
  void aValueFromTwoTransactionsBeforeIsFound() {
    long[] seen = new long[1];
    assertThatNamed(
        copying(tx -> seen[0] = tx.getLong("x"), tx -> tx.getLong("x"), tx -> tx.put("y", seen[0])),
        IsolationLevel.SERIALIZABLE,
        "b.t3");
  }

  @Test
  void aVariableThatIsSetInSomeHistoriesOnlyIsFound() {
    boolean[] changed = new boolean[1];
    assertThatNamed(
        copying(
            tx -> {
              if (tx.getLong("x") == 1) {
                changed[0] = true;
              }
            },
            tx -> tx.put("y", changed[0] ? 2L : 1L)),
        IsolationLevel.SERIALIZABLE,
        "b.t2");
  }

  @Test
  void whatIsReadNextIsFoundToo() {
    long[] seen = new long[1];
    assertThatNamed(
        copying(tx -> seen[0] = tx.getLong("x"), tx -> tx.getLong(seen[0] == 0 ? "x" : "y")),
        IsolationLevel.CAUSAL,
        "b.t2");
  }

  @Test
  void aListThatGrowsIsFound() {
    List<Long> seen = new ArrayList<>();
    assertThatNamed(
        copying(tx -> seen.add(tx.getLong("x")), tx -> tx.put("y", (long) seen.size())),
        IsolationLevel.CAUSAL,
        "b.t2");
  }

  @Test
  void aValueFromAnotherSessionIsFound() {
    long[] seen = new long[1];
    assertThatNamed(
        CodeProgram.named("sessions")
            .initially("x", 0L)
            .session("a", tx -> seen[0] = tx.getLong("x"))
            .session("b", tx -> tx.put("y", seen[0]))
            .session("c", tx -> tx.put("x", 1L)),
        IsolationLevel.SERIALIZABLE,
        "b.t1");
  }

  /** No run of the first session leaves another value than the others do. */
  @Test
  void aValueFromTheSessionBeforeIsFoundThoughItIsAlwaysTheSame() {
    long[] seen = new long[1];
    assertThatNamed(
        CodeProgram.named("constant")
            .initially("x", 7L)
            .session("a", tx -> seen[0] = tx.getLong("x"))
            .session("b", tx -> tx.put("y", seen[0]))
            .finalReads(tx -> tx.check(tx.getLong("y") == 7, "y")),
        IsolationLevel.SERIALIZABLE,
        "b.t1");
  }

  @Test
  void finalReadsThatLookAtAVariableAreFound() {
    long[] seen = new long[1];
    assertThatNamed(
        CodeProgram.named("final")
            .initially("x", 0L)
            .session("a", tx -> tx.put("x", 1L))
            .session("b", tx -> seen[0] = tx.getLong("x"))
            .finalReads(tx -> tx.check(seen[0] == 0, "seen")),
        IsolationLevel.SERIALIZABLE,
        "final.t1");
  }

  /** Code of a transaction is run at most so often for each end that it comes to. */
  @Test
  void runningAgainCostsAFewRunsForEach() {
    AtomicLong runs = new AtomicLong();
    CodeProgram program = CodeProgram.named("costs").initially("n", 0L);
    for (long session = 0; session < 3; session++) {
      long own = session;
      TransactionCode code =
          tx -> {
            runs.incrementAndGet();
            tx.put("n", tx.getLong("n") * 10 + own);
          };
      program.session("s" + session, code, code);
    }
    assertThat(explore(program, IsolationLevel.CAUSAL).hold()).isTrue();
    assertThat(runs.get()).isLessThan(10_000);
  }
}
