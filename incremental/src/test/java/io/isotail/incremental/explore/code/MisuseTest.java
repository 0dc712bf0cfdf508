package io.isotail.incremental.explore.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/** What a program must not be declared with or do is told with what was found and expected. */
final class MisuseTest {
  /** Null where the compiler sees none, as in code that it does not check. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // it is to be null of any type
  private static <T> T nothing() {
    return null;
  }

  private static AssertionVerdict explore(TransactionCode... transactions) {
    return AssertionVerdict.of(
        CodeProgram.named("p").initially("x", 1).session("s", transactions).build(),
        IsolationLevel.CAUSAL,
        () -> true);
  }

  private static AbstractThrowableAssert<?, ?> assertThatExploring(TransactionCode... code) {
    return assertThatThrownBy(() -> explore(code));
  }

  private static AbstractThrowableAssert<?, ?> assertThatDeclaring(Consumer<CodeProgram> what) {
    return assertThatThrownBy(() -> what.accept(CodeProgram.named("p")));
  }

  @Test
  void nullIsNoValue() {
    assertThatExploring(tx -> tx.put("a", nothing()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("s.t1: puts null into 'a'; expected a value, or delete(\"a\")");
    assertThatExploring(tx -> tx.keep("a", nothing()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("s.t1: keeps null as 'a'; expected a value");
    assertThatDeclaring(program -> program.initially("a", nothing()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "p: 'a' is initially null; expected a value, or withKeys(\"a\") for one that is absent");
  }

  @Test
  void nullIsNoName() {
    assertThatExploring(tx -> tx.put(nothing(), 1L))
        .hasMessage("s.t1: the name of a variable is null; expected one");
    assertThatExploring(tx -> tx.get(nothing(), Long.class))
        .hasMessage("s.t1: the name of a variable is null; expected one");
    assertThatExploring(tx -> tx.delete(nothing()))
        .hasMessage("s.t1: the name of a variable is null; expected one");
    assertThatExploring(tx -> tx.scan(nothing()))
        .hasMessage("s.t1: the prefix of a scan is null; expected one");
    assertThatDeclaring(program -> program.initially(nothing(), 1L))
        .hasMessage("p: the name of a variable is null; expected one");
    assertThatDeclaring(program -> program.withKeys("a", nothing()))
        .hasMessage("p: the name of a variable is null; expected one");
    assertThatDeclaring(program -> program.session(nothing(), tx -> {}))
        .hasMessage("p: the name of a session is null; expected one");
  }

  @Test
  void nullIsNoCode() {
    assertThatDeclaring(program -> program.session("a", (TransactionCode) nothing()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("p: a.t1 is null; expected the code of a transaction");
    assertThatDeclaring(program -> program.session("a", tx -> {}, nothing()))
        .hasMessage("p: a.t2 is null; expected the code of a transaction");
    assertThatDeclaring(program -> program.finalReads(nothing()))
        .hasMessage("p: final.t1 is null; expected the code of a transaction");
    assertThatThrownBy(() -> TransactionCode.at(IsolationLevel.CAUSAL, nothing()))
        .hasMessage("the code of a transaction at causal is null; expected some");
    assertThatThrownBy(() -> TransactionCode.named("up", nothing()))
        .hasMessage("the code of transaction 'up' is null; expected some");
  }

  @Test
  void aSessionHasATransaction() {
    assertThatDeclaring(program -> program.session("a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("p: session 'a' has no transaction; expected at least one");
  }

  @Test
  void anotherTypeIsNoFailedAssertion() {
    assertThatExploring(tx -> tx.keep("a", 1), tx -> tx.kept("a", Long.class))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("s.t2: kept 'a' = 1 (Integer); expected a Long");
    assertThatExploring(tx -> tx.getLong("x"))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("s.t1: read x = 1 (Integer); expected a Long");
    assertThatExploring(tx -> tx.get("y", String.class))
        .hasMessage("s.t1: read y = absent; expected a String");
  }

  @Test
  void aCheckThatDoesNotHoldFailsWithoutAText() {
    AssertionVerdict verdict = explore(tx -> tx.check(false, nothing()));
    assertThat(verdict.witness()).isNotNull();
    assertThat(verdict.witness().what()).isEqualTo("s.t1: null");
  }

  private static long deep(long n) {
    return deep(n + 1) + 1;
  }

  @Test
  void anErrorThatCodeThrowsIsToldWithItsTransaction() {
    AssertionVerdict verdict = explore(tx -> deep(tx.get("x", Integer.class)));
    assertThat(verdict.witness()).isNotNull();
    assertThat(verdict.witness().what())
        .startsWith("s.t1: threw java.lang.StackOverflowError: null (MisuseTest.java:");
    verdict =
        explore(
            tx -> {
              throw new LinkageError("of " + tx.get("x", Integer.class));
            });
    assertThat(verdict.witness()).isNotNull();
    assertThat(verdict.witness().what())
        .startsWith("s.t1: threw java.lang.LinkageError: of 1 (MisuseTest.java:");
  }
}
