package io.isotail.incremental.explore.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in each other has a limit; what stands in a row has none. */
final class NestingTest {
  /** The assertions that fail where one transaction runs after the other. */
  private static List<String> failures(String text) {
    Program program = ProgramText.parse("p", text, Map.of());
    List<String> failures = new ArrayList<>();
    Exploration.of(program, IsolationLevel.SERIALIZABLE)
        .run(
            history -> {
              String failure = history.failure();
              if (failure != null) {
                failures.add(failure);
              }
              return true;
            },
            () -> true);
    return failures;
  }

  private static String assigned(String expression) {
    return "session s { begin a := " + expression + "; commit }";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "( | 1 | ) | 99",
        "{ | 1 | } | 99",
        "not ( | true | ) | 49",
        "'not ' | true | '' | 99",
        "-  | 1 | '' | 99",
        "count({ | 1 | }) | 49",
        "1 + ( | 1 | ) | 99",
        "not (1 == 1 and | true | ) | 49",
      })
  void expressionsInEachOtherAreRefusedBeyondALimit(
      String begin, String inner, String end, int deepest) {
    String fits = (begin + " ").repeat(deepest) + inner + end.repeat(deepest);
    assertThat(ProgramText.parse("p", assigned(fits), Map.of()).sessions()).hasSize(1);
    for (int times : new int[] {deepest + 1, 10_000, 100_000}) {
      assertThatThrownBy(
              () ->
                  ProgramText.parse(
                      "p",
                      assigned((begin + " ").repeat(times) + inner + end.repeat(times)),
                      Map.of()))
          .isInstanceOf(SourceError.class)
          .hasMessageStartingWith("line 1, column ")
          .hasMessageContaining("where 101 expressions stand in each other; expected at most 100");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "param n = %s;",
        "var x = %s;",
        "var x[%s] = 1;",
        "var x[1 to %s] = 1;",
        "table t(a); row t[%s] = (a = 1);",
        "table t(a); row t[1] = (a = %s);",
        "transaction t(a) {} session s { t(%s); }",
        "session s { begin commit assert %s; }",
      })
  void expressionsAreRefusedWhereverTheyStand(String text) {
    String deep = "(".repeat(100_000) + "1" + ")".repeat(100_000);
    assertThatThrownBy(() -> ProgramText.parse("p", text.formatted(deep), Map.of()))
        .isInstanceOf(SourceError.class)
        .hasMessageContaining("found '(' where 101 expressions stand in each other");
  }

  @Test
  void thePlaceOfWhatIsTooDeepIsTold() {
    assertThatThrownBy(() -> ProgramText.parse("p", assigned("-\n".repeat(200) + "1"), Map.of()))
        .hasMessage(
            "line 100, column 1: found '-' where 101 expressions stand in each other; expected at"
                + " most 100 of them");
    assertThatThrownBy(() -> ProgramText.parse("p", choices(101), Map.of()))
        .hasMessage(
            "line 101, column 1: found 'if' where 101 choices stand in each other; expected at"
                + " most 100 of them");
  }

  private static String choices(int depth) {
    return "session s { begin if true {"
        + "\nif true {".repeat(depth - 1)
        + " a := 1; "
        + "}".repeat(depth)
        + " commit assert a == 1; }";
  }

  @Test
  void choicesInEachOtherRunUpToTheLimit() {
    assertThat(failures(choices(100))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100_000})
  void chainsAreAsLongAsOneLikes(int length) {
    String sum = "1" + " + 1".repeat(length);
    String all = "(b > 0)" + " and (b > 0)".repeat(length);
    String any = "(b == 0)" + " or (b == 0)".repeat(length);
    assertThat(
            failures(
                "session s { begin b := %s; assert b == %d; assert %s; assert not (%s); assert (%s or b > 0); commit }"
                    .formatted(sum, length + 1, all, any, any)))
        .isEmpty();
    assertThat(failures("session s { begin b := 1; assert %s and b == 2; commit }".formatted(all)))
        .hasSize(1);
    // What comes after it matters no more is not computed.
    assertThat(
            failures(
                "session s { begin b := 0; assert not (b == 1 and 1 / b == 1 and (%s)); assert b == 0 or 1 / b == 1; commit }"
                    .formatted(any)))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100, 10_000})
  void listsOfBranchesAreAsLongAsOneLikes(int length) {
    StringBuilder branches = new StringBuilder("if x == 0 { a := 0; }");
    for (int i = 1; i < length; i++) {
      branches.append(" else if x == %d { a := %d; }".formatted(i, i));
    }
    for (int x : new int[] {0, length / 2, length - 1, length}) {
      String without = "session s { begin a := -1; x := %d; %s commit assert a == %d; }";
      assertThat(failures(without.formatted(x, branches, x < length ? x : -1))).isEmpty();
      String with =
          "session s { begin a := -1; x := %d; %s else { a := -2; } commit assert a == %d; }";
      assertThat(failures(with.formatted(x, branches, x < length ? x : -2))).isEmpty();
    }
  }

  @Test
  void aKeyIsFoundWhereverItStandsInAChainOfConditions() {
    String all = " and row.a > 0".repeat(1_000);
    assertThat(
            failures(
                "table t(a); row t[1] = (a = 1); row t[2] = (a = 1);"
                    + " session s { begin r := select t where row.a > 0"
                    + all
                    + " and row.key == 2"
                    + all
                    + "; assert count(r) == 1; commit }"))
        .isEmpty();
  }

  @Test
  void valuesInEachOtherAreRefusedBeyondALimit() {
    String sets = "a := {1}; " + "a := {a}; ".repeat(99);
    assertThat(failures("var x = 0; session s { begin " + sets + " write(x, a); commit }"))
        .isEmpty();
    for (String deeper :
        List.of(
            "a := {a}; ", "a := add({1}, a); ", "insert t[1] (c = a); ", "insert t[a] (c = 1); ")) {
      String text =
          "table t(c); row t[1] = (c = 0); session s { begin " + sets + deeper + " commit }";
      assertThatThrownBy(() -> failures(text))
          .isInstanceOf(SourceError.class)
          .hasMessageContaining("where 101 sets or rows stand in each other; expected at most 100");
    }
    String rows = "r := select t; update t set c = r; ".repeat(100);
    assertThatThrownBy(
            () ->
                failures("table t(c); row t[1] = (c = 0); session s { begin " + rows + " commit }"))
        .isInstanceOf(SourceError.class)
        .hasMessageContaining("sets or rows stand in each other; expected at most 100");
  }

  @Test
  void columnsOfColumnsAreReadOneAfterAnother() {
    assertThatThrownBy(() -> failures(assigned("{}" + ".c".repeat(100_000) + " + 1")))
        .hasMessageContaining("expected a number");
  }
}
