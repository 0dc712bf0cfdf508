package io.isotail.incremental.explore.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CodeProgramTest {
  private static final TransactionCode BUY =
      tx -> {
        long items = tx.getLong("items");
        if (items == 0) {
          tx.abort();
        }
        tx.put("items", items - 1);
        tx.put("sold", tx.getLong("sold") + 1);
        tx.keep("bought", 1L);
      };

  private static Program shop(TransactionCode buy) {
    return CodeProgram.named("shop")
        .initially("items", 1L)
        .initially("sold", 0L)
        .session("alice", buy, tx -> tx.check(tx.kept("bought", Long.class) == 1, "kept"))
        .session("bob", buy)
        .finalReads(tx -> tx.check(tx.getLong("items") + tx.getLong("sold") == 1, "sum"))
        .build();
  }

  private static Set<String> failures(Program program, IsolationLevel level) {
    Set<String> failures = new TreeSet<>();
    Exploration.of(program, level)
        .run(history -> failures.add(String.valueOf(history.failure())) || true, () -> true);
    return failures;
  }

  @Test
  void transactionsOfJavaAreExplored() {
    TransactionCode buy =
        tx -> {
          tx.keep("bought", 1L);
          BUY.run(tx);
        };
    Program program =
        CodeProgram.named("shop")
            .initially("items", 1L)
            .initially("sold", 0L)
            .session("alice", buy)
            .session("bob", buy)
            .finalReads(tx -> tx.check(tx.getLong("items") + tx.getLong("sold") == 1, "sum"))
            .build();
    assertThat(failures(program, IsolationLevel.SERIALIZABLE)).containsExactly("null");
    assertThat(failures(program, IsolationLevel.READ_COMMITTED)).contains("final.t1: sum");
  }

  @Test
  void aValueOfAnotherTypeIsSaid() {
    Program program =
        CodeProgram.named("types").initially("x", 1).session("s", tx -> tx.getLong("x")).build();
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("s.t1: read x = 1 (Integer); expected a Long");
  }

  /** A text is read only where one of two increments is lost. */
  @Test
  void aValueOfAnotherTypeIsSaidOnlyWhereTheLevelAllowsItsHistory() {
    TransactionCode up = tx -> tx.put("n", tx.getLong("n") + 1);
    Program program =
        CodeProgram.named("types")
            .initially("n", 0L)
            .initially("sum", 2L)
            .session("alice", up)
            .session("bob", up)
            .finalReads(
                tx -> {
                  if (tx.getLong("n") == 1) {
                    tx.get("sum", String.class);
                  }
                })
            .build();
    assertThat(failures(program, IsolationLevel.SERIALIZABLE)).containsExactly("null");
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("final.t1: read sum = 2 (Long); expected a String");
  }

  @Test
  void whatNobodyKeptIsSaid() {
    assertThatThrownBy(() -> failures(shop(BUY), IsolationLevel.SERIALIZABLE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("alice.t2: no earlier transaction of alice kept 'bought'; there is []");
  }

  @Test
  void codeThatDoesSomethingElseWhenItIsRunAgainIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("clock")
            .initially("x", 0L)
            .session(
                "s",
                tx -> {
                  tx.put("y", calls.incrementAndGet());
                  tx.getLong("x");
                })
            .build();
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining(
            "s.t1 is not deterministic: its step 1 was 'put y = 1', and 'put y = 2'")
        .hasMessageContaining("CodeProgramTest");
  }

  @Test
  void codeThatEndsEarlierWhenItIsRunAgainIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("flip")
            .initially("x", 0L)
            .session(
                "s",
                tx -> {
                  if (calls.getAndIncrement() == 0) {
                    tx.getLong("x");
                  }
                })
            .build();
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining("'the end of its code'");
  }

  @Test
  void codeThatWritesSomethingElseAfterItsLastReadIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("clock").session("s", tx -> tx.put("y", calls.incrementAndGet())).build();
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining("its step 1 was 'put y = 1', and 'put y = 2'")
        .hasMessageContaining("CodeProgramTest");
  }

  @Test
  void codeThatDoesMoreWhenItIsRunAgainIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("more")
            .session(
                "s",
                tx -> {
                  if (calls.incrementAndGet() > 1) {
                    tx.keep("k", 1L);
                  }
                })
            .build();
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining("its step 1 was 'its end', and 'keep k = 1'");
  }

  @Test
  void codeWhoseCheckComesOutAnotherWayIsAnError() {
    AtomicLong calls = new AtomicLong();
    Program program =
        CodeProgram.named("coin")
            .session("s", tx -> tx.check(calls.incrementAndGet() == 1, "coin"))
            .build();
    assertThatThrownBy(() -> failures(program, IsolationLevel.CAUSAL))
        .isInstanceOf(NotDeterministic.class)
        .hasMessageContaining(
            "its step 1 was 'its end', and 'its end, COMMITTED with {} and coin'");
  }

  /** Only a history that the level allows shows what was thrown in it. */
  @Test
  void codeThatThrowsIsAnAssertionThatFailsAndATransactionThatIsTakenBack() {
    TransactionCode buy =
        tx -> {
          long items = tx.getLong("items");
          tx.put("items", items - 1);
          if (items == 0) {
            throw new IllegalArgumentException("sold out");
          }
        };
    Program program =
        CodeProgram.named("throws")
            .initially("items", 1L)
            .session("alice", buy)
            .session("bob", buy)
            .finalReads(tx -> assertThat(tx.getLong("items")).as("items").isEqualTo(0))
            .build();
    assertThat(failures(program, IsolationLevel.SERIALIZABLE))
        .hasSize(2)
        .allMatch(
            failure ->
                failure.matches(
                    "(alice|bob).t1: threw java.lang.IllegalArgumentException: sold out"
                        + " \\(CodeProgramTest.java:\\d+\\)"));
    Program stale =
        CodeProgram.named("stale")
            .initially("x", 0L)
            .session("s", tx -> tx.put("x", 1L))
            .finalReads(tx -> assertThat(tx.getLong("x")).as("x").isEqualTo(1))
            .build();
    assertThat(failures(stale, IsolationLevel.CAUSAL)).containsExactly("null");
    assertThat(failures(stale, IsolationLevel.READ_COMMITTED))
        .anyMatch(failure -> failure.startsWith("final.t1: [x]") && failure.endsWith(")"));
  }

  @Test
  void codeHasANameAndALevelOfItsOwn() {
    TransactionCode up = tx -> tx.put("x", tx.getLong("x") + 1);
    Program program =
        CodeProgram.named("levels")
            .initially("x", 0L)
            .session("a", TransactionCode.named("up", up))
            .session("b", TransactionCode.at(IsolationLevel.PREFIX, up), up)
            .build();
    assertThat(program.kinds()).containsExactly("up", "b.t1", "b.t2");
    assertThat(program.declaredLevels()).isEqualTo(Map.of("b.t1", Set.of(IsolationLevel.PREFIX)));
    assertThat(program.withLevel("up", IsolationLevel.CAUSAL).declaredLevels())
        .containsKeys("up", "b.t1");
    assertThatThrownBy(() -> TransactionCode.at(IsolationLevel.STRICT_SERIALIZABLE, up))
        .hasMessageContaining("strict-serializable cannot be explored");
  }
}
