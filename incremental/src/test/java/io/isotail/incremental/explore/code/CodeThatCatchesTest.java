package io.isotail.incremental.explore.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** Code that catches the throwable by which a run of it is ended. */
final class CodeThatCatchesTest {
  private static AssertionVerdict explore(TransactionCode reads) {
    Program program =
        CodeProgram.named("catches")
            .initially("x", 0L)
            .initially("y", 0L)
            .session(
                "a",
                tx -> {
                  tx.put("x", 1L);
                  tx.put("y", 1L);
                })
            .session("b", reads)
            .build();
    return AssertionVerdict.of(program, IsolationLevel.SERIALIZABLE, () -> true);
  }

  private static String failure(TransactionCode reads) {
    AssertionVerdict verdict = explore(reads);
    assertThat(verdict.witness()).isNotNull();
    return verdict.witness().what();
  }

  @Test
  void allOfSeveralAssertionsAreMade() {
    TransactionCode both =
        tx -> {
          long x = tx.getLong("x");
          assertAll(() -> assertEquals(x, tx.getLong("x")), () -> assertEquals(x, tx.getLong("y")));
        };
    assertThat(explore(both).hold()).isTrue();
    assertThat(
            failure(
                tx ->
                    assertAll(
                        () -> assertEquals(0, tx.getLong("x"), "x"),
                        () -> assertEquals(0, tx.getLong("y"), "y"))))
        .startsWith("b.t1: Multiple Failures (2 failures)")
        .contains("x ==> expected: <0> but was: <1>", "y ==> expected: <0> but was: <1>");
    assertThat(
            failure(
                tx ->
                    SoftAssertions.assertSoftly(
                        softly -> {
                          softly.assertThat(tx.getLong("x")).as("x").isZero();
                          softly.assertThat(tx.getLong("y")).as("y").isZero();
                        })))
        .startsWith("b.t1: ")
        .contains("[x]", "[y]");
  }

  @Test
  void whatReadsAndThrowsIsExpectedToThrow() {
    TransactionCode refuses =
        tx ->
            assertThrows(
                IllegalStateException.class,
                () -> {
                  if (tx.getLong("x") == tx.getLong("y")) {
                    throw new IllegalStateException("equal");
                  }
                });
    assertThat(explore(refuses).hold()).isTrue();
    assertThat(failure(tx -> assertThrows(Throwable.class, () -> tx.getLong("x"))))
        .startsWith("b.t1: Expected java.lang.Throwable to be thrown, but nothing was thrown.");
  }

  @Test
  void codeThatCatchesExceptionsAndTriesAgainReadsOnce() {
    assertThat(
            explore(
                    tx -> {
                      boolean read = false;
                      while (!read) {
                        try {
                          tx.getLong("x");
                          read = true;
                        } catch (RuntimeException e) {
                          tx.put("z", 1L);
                        }
                      }
                    })
                .hold())
        .isTrue();
  }

  @Test
  void whatCodeDoesBehindAReadThatEndedItsRunHasNoEffect() {
    assertThat(
            explore(
                    tx -> {
                      try {
                        tx.getLong("x");
                      } catch (Throwable e) {
                        tx.check(false, "never");
                        throw new IllegalStateException(e);
                      }
                    })
                .hold())
        .isTrue();
    assertThat(
            explore(
                    tx -> {
                      try {
                        tx.getLong("x");
                      } catch (Throwable e) {
                        tx.abort();
                      } finally {
                        tx.put("z", 1L);
                      }
                    })
                .hold())
        .isTrue();
  }

  @Test
  void codeMayWrapWhatAbortThrows() {
    assertThat(
            explore(
                    tx -> {
                      try {
                        tx.put("x", 2L);
                        tx.abort();
                      } catch (Throwable e) {
                        throw new IllegalStateException("rolled back", e);
                      }
                    })
                .hold())
        .isTrue();
  }

  @Test
  void codeThatGoesOnAfterAnAbortIsAnError() {
    for (TransactionCode goesOn :
        new TransactionCode[] {
          tx -> assertThrows(Throwable.class, tx::abort),
          tx -> assertAll(tx::abort, () -> assertEquals(0, tx.getLong("x"))),
          tx -> {
            try {
              tx.abort();
            } finally {
              tx.keep("k", 1L);
            }
          }
        }) {
      assertThatThrownBy(() -> explore(goesOn))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "b.t1 went on after abort(), which ends it by what it throws; call abort() outside of"
                  + " assertAll, assertThrows and whatever else catches Throwable");
    }
  }

  @Test
  void aTransactionOfAnotherRunIsRefused() {
    Transaction[] first = new Transaction[1];
    assertThatThrownBy(
            () ->
                explore(
                    tx -> {
                      first[0] = first[0] == null ? tx : first[0];
                      first[0].getLong("x");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("b.t1 used the Transaction of another run; expected the one that it was given");
  }
}
