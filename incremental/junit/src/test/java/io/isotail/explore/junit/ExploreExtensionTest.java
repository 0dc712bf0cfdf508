package io.isotail.explore.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedSuccessfully;

import io.isotail.incremental.explore.code.CodeProgram;
import io.isotail.incremental.explore.code.NotDeterministic;
import io.isotail.incremental.explore.code.TransactionCode;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs tests of the annotation on JUnit itself. */
final class ExploreExtensionTest {

  /** What a test of an application looks like; some of its tests fail on purpose. */
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static final class Counter {
    private static final TransactionCode INCREMENT = tx -> tx.put("n", tx.getLong("n") + 1);

    private static void twoIncrements(CodeProgram program, TransactionCode one) {
      program
          .initially("n", 0L)
          .session("alice", one)
          .session("bob", INCREMENT)
          .finalReads(tx -> assertEquals(2, tx.getLong("n"), "increments"));
    }

    @Explore(level = IsolationLevel.SNAPSHOT_ISOLATION)
    void holds(CodeProgram program) {
      twoIncrements(program, INCREMENT);
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void failsByItsAssertion(CodeProgram program) {
      twoIncrements(program, INCREMENT);
    }

    @Explore(level = IsolationLevel.PREFIX)
    void failsByItsAssertionWithAnOrder(CodeProgram program) {
      twoIncrements(program, INCREMENT);
    }

    @Explore(level = IsolationLevel.READ_COMMITTED)
    void holdsMixed(CodeProgram program) {
      program
          .initially("n", 0L)
          .session("alice", TransactionCode.at(IsolationLevel.SERIALIZABLE, INCREMENT))
          .session("bob", TransactionCode.at(IsolationLevel.SERIALIZABLE, INCREMENT))
          .session("carol", tx -> tx.keep("seen", tx.getLong("n")))
          .finalReads(
              TransactionCode.at(
                  IsolationLevel.SERIALIZABLE, tx -> assertEquals(2, tx.getLong("n"))));
    }

    @Explore(level = IsolationLevel.SERIALIZABLE)
    void holdsThoughWeakerHistoriesThrow(CodeProgram program) {
      program.initially("stock", 1L);
      for (String customer : List.of("alice", "bob")) {
        program
            .initially(customer, 0L)
            .session(
                customer,
                tx -> {
                  if (tx.getLong("stock") == 1) {
                    tx.put("stock", 0L);
                    tx.put(customer, 1L);
                  }
                });
      }
      program.finalReads(
          tx -> {
            if (tx.getLong("alice") + tx.getLong("bob") > 1) {
              throw new IllegalStateException("oversold");
            }
          });
    }

    @Explore(level = IsolationLevel.READ_COMMITTED, timeLimitMs = 1)
    void isNotExhausted(CodeProgram program) {
      program.initially("n", 0L);
      for (int session = 0; session < 5; session++) {
        program.session("s" + session, INCREMENT, INCREMENT, INCREMENT);
      }
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void isNotDeterministic(CodeProgram program) {
      AtomicLong clock = new AtomicLong();
      program.session("s", tx -> tx.put("at", clock.incrementAndGet()));
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void declaresNoSession(CodeProgram program) {
      program.initially("n", 0L);
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void hasNoParameter() {}

    @Explore(level = IsolationLevel.CAUSAL, timeLimitMs = 0)
    void hasNoTime(CodeProgram program) {
      twoIncrements(program, INCREMENT);
    }

    @Explore(level = IsolationLevel.STRICT_SERIALIZABLE)
    void followsTime(CodeProgram program) {
      twoIncrements(program, INCREMENT);
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void failsByItself(CodeProgram program) {
      throw new IllegalStateException("in the test of " + program);
    }
  }

  /** A test whose program is declared in several places. */
  static final class Places {
    @BeforeEach
    void declareVariables(CodeProgram program) {
      program.initially("n", 0L).session("alice", Counter.INCREMENT);
    }

    @Explore(level = IsolationLevel.SERIALIZABLE)
    void seesBoth(CodeProgram program) {
      program.finalReads(tx -> assertEquals(2, tx.getLong("n"), "increments"));
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void seesBothParameters(CodeProgram one, CodeProgram two) {
      one.session("bob", Counter.INCREMENT);
      two.finalReads(tx -> assertEquals(2, tx.getLong("n"), "increments"));
    }

    @Explore(level = IsolationLevel.SERIALIZABLE)
    void readsTwiceInTheEnd(CodeProgram program) {
      program.finalReads(tx -> tx.check(false, "first")).finalReads(tx -> tx.getLong("n"));
    }

    @Explore(level = IsolationLevel.SERIALIZABLE)
    void declaresNothing() {}
  }

  /** A class in which some tests are not explored. */
  @ExtendWith(ExploreExtension.class)
  static final class SomeExplored {
    @BeforeEach
    void declareVariables(CodeProgram program) {
      program.initially("n", 0L).session("alice", Counter.INCREMENT);
    }

    @Explore(level = IsolationLevel.CAUSAL)
    void fails(CodeProgram program) {
      program.session("bob", tx -> tx.check(false, "explored once"));
    }

    @Test
    void isNotExplored() {}

    @RepeatedTest(2)
    void isRepeated() {}

    @Test
    void declaresWhatIsNotExplored(CodeProgram program) {
      program.session("bob", tx -> tx.check(false, "never"));
    }
  }

  /** A program that is declared too late to be explored. */
  static final class After {
    @Explore(level = IsolationLevel.SERIALIZABLE)
    void holds(CodeProgram program) {
      program.session("s", Counter.INCREMENT).initially("n", 0L);
    }

    @AfterEach
    void declare(CodeProgram program) {
      program.session("late", tx -> tx.check(false, "never"));
    }
  }

  private static Throwable thrownBy(Class<?> type, String test, Class<?>... parameters) {
    return thrownBy(
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectMethod(type, test, parameters))
            .execute()
            .testEvents(),
        test);
  }

  private static Throwable thrownBy(Events events, String test) {
    return events.finished().stream()
        .map(e -> e.getRequiredPayload(TestExecutionResult.class))
        .flatMap(result -> result.getThrowable().stream())
        .findFirst()
        .orElseThrow(() -> new AssertionError(test + " passed"));
  }

  @Test
  void allThatATestDeclaresAnywhereIsOneProgram() {
    assertThat(thrownBy(Places.class, "seesBoth", CodeProgram.class))
        .message()
        .startsWith("final.t1: increments ==> expected: <2> but was: <1>");
    assertThat(thrownBy(Places.class, "seesBothParameters", CodeProgram.class, CodeProgram.class))
        .message()
        .startsWith("final.t1: increments ==> expected: <2> but was: <1>")
        .contains("lost-update");
    assertThat(thrownBy(Places.class, "readsTwiceInTheEnd", CodeProgram.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has final reads already; expected one transaction");
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(Places.class, "declaresNothing"))
        .execute()
        .testEvents()
        .assertThatEvents()
        .haveExactly(1, event(finishedSuccessfully()));
  }

  @Test
  void aTestThatIsNotExploredIsRunBesideOthers() {
    for (String test : new String[] {"isNotExplored", "isRepeated"}) {
      EngineTestKit.engine("junit-jupiter")
          .selectors(selectMethod(SomeExplored.class, test))
          .execute()
          .testEvents()
          .assertStatistics(all -> all.failed(0).succeeded(test.equals("isRepeated") ? 2 : 1));
    }
    assertThat(thrownBy(SomeExplored.class, "fails", CodeProgram.class))
        .message()
        .startsWith("bob.t1: explored once");
    assertThat(thrownBy(SomeExplored.class, "declaresWhatIsNotExplored", CodeProgram.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessage(
            "SomeExplored.declaresWhatIsNotExplored: found a CodeProgram in a test that is not"
                + " explored; expected @Explore");
  }

  @Test
  void aProgramThatIsDeclaredAfterTheTestIsRefused() {
    assertThat(thrownBy(After.class, "holds", CodeProgram.class))
        .isInstanceOf(ParameterResolutionException.class)
        .hasMessageContaining("After.declare: found a CodeProgram after the test; expected it in");
  }

  private static Events run(String test) {
    String parameters = test.equals("hasNoParameter") ? "" : CodeProgram.class.getName();
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectMethod(Counter.class, test, parameters))
        .execute()
        .testEvents();
  }

  private static Throwable thrownBy(String test) {
    return thrownBy(run(test), test);
  }

  @Test
  void aTestPassesWhereAllAssertionsHoldInAllHistories() {
    for (String test : new String[] {"holds", "holdsMixed", "holdsThoughWeakerHistoriesThrow"}) {
      run(test).assertThatEvents().haveExactly(1, event(finishedSuccessfully()));
    }
  }

  @Test
  void theNumberOfHistoriesIsReported() {
    Events events =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectMethod(Counter.class, "holds", CodeProgram.class.getName()))
            .execute()
            .allEvents();
    assertThat(events.reportingEntryPublished().stream().map(e -> e.getPayload().toString()))
        .hasSize(1)
        .first()
        .asString()
        .contains("histories = '2'");
  }

  @Test
  void aFailureTellsAssertionHistoryAndAnomaly() {
    assertThat(thrownBy("failsByItsAssertion"))
        .isInstanceOf(AssertionError.class)
        .message()
        .startsWith("final.t1: increments ==> expected: <2> but was: <1> (ExploreExtensionTest")
        .contains("One history that causal allows:")
        .contains("  read n = 0, which is initial")
        .contains("lost-update: it violates snapshot-isolation")
        .contains("alice/0 and bob/0 both read n=initial and both overwrote it");
    assertThat(thrownBy("failsByItsAssertionWithAnOrder"))
        .message()
        .contains("One history that prefix allows:")
        .contains("  alice                               bob                                 final")
        .contains("begin t1");
  }

  @Test
  void whatIsNotExhaustedFails() {
    assertThat(thrownBy("isNotExhausted"))
        .isInstanceOf(AssertionError.class)
        .message()
        .startsWith("read-committed was not exhausted: ")
        .contains("timeLimitMs = 1, and no failure so far");
  }

  @Test
  void codeThatIsNotDeterministicFailsWithItsPlace() {
    assertThat(thrownBy("isNotDeterministic"))
        .isInstanceOf(NotDeterministic.class)
        .message()
        .contains("s.t1 is not deterministic", "'put at = 1'", "'put at = 2'")
        .contains("ExploreExtensionTest.java");
  }

  @Test
  void aTestThatDeclaresNothingToExploreFails() {
    assertThat(thrownBy("declaresNoSession"))
        .isInstanceOf(ExtensionConfigurationException.class)
        .hasMessage(
            "Counter.declaresNoSession: found a program without a session; expected at least one");
    assertThat(thrownBy("hasNoParameter"))
        .hasMessageContaining("Counter.hasNoParameter: found no parameter of type CodeProgram");
    assertThat(thrownBy("hasNoTime"))
        .hasMessage("Counter.hasNoTime: found timeLimitMs = 0; expected at least 1");
    assertThat(thrownBy("followsTime"))
        .hasMessageContaining("strict-serializable cannot be explored");
    assertThat(thrownBy("failsByItself")).hasMessageStartingWith("in the test of ");
  }
}
