package io.isotail.incremental.explore.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Execution;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProgramTextTest {
  private static Program parse(String text) {
    return ProgramText.parse("test", text, Map.of());
  }

  /** The failures of all serial runs of a program. */
  private static List<String> failures(String text) {
    List<String> failures = new ArrayList<>();
    Exploration.of(parse(text), IsolationLevel.SERIALIZABLE)
        .run(
            (ExploredHistory history) -> {
              String failure = history.failure();
              if (failure != null) {
                failures.add(failure);
              }
              return true;
            },
            () -> true);
    return failures;
  }

  @Test
  void statementsDoWhatTheySay() {
    assertThat(
            failures(
                """
                param two = 1 + 1;
                var x = two * 3 - 1; # five
                var a["left"] = 1;
                var b[1 to 3] = 7;
                session s {
                  begin
                    v := read(x); w := read(a["left"]); u := read(b[two]); none := read(b[4]);
                    assert v == 5 and w == 1 and u == 7 and none == absent, "initial values";
                    if v < 5 { abort; } else if v == 5 { write(x, -v); } else { abort; }
                    v := read(x);
                    assert v == -5, "own writes are read";
                    assert not (v > 0 or false) and "a" + 1 == "a1" and 7 % 4 == 3 and 7 / 2 == 3;
                    s := add({2, 1}, 3);
                    assert count(s) == 3 and sum(s) == 6 and min(s) == 1 and max(remove(s, 3)) == 2;
                    assert contains(s, 2) and not contains(s, 9) and s == {3, 2, 1}, "sets";
                  commit
                  assert v == -5, "locals outlive the transaction";
                  begin v2 := read(x); assert v2 == v, "a later transaction sees the earlier one"; commit
                }
                final { z := read(x); assert z == -5, "final"; }
                """))
        .isEmpty();
  }

  @Test
  void tablesDoWhatTheySay() {
    for (String kind : List.of("table", "set table")) {
      assertThat(
              failures(
                  kind
                      + """
                 cart(item, n);
                row cart[1] = (item = "pen", n = 2);
                row cart[2] = (item = "ink", n = 1);
                session s {
                  begin
                    insert cart[3] (item = "pen", n = 5);
                    pens := select cart where row.item == "pen";
                    assert count(pens) == 2 and sum(pens.n) == 7, "select";
                    update cart set n = row.n * 10, item = "pencil" where row.item == "pen" and row.n > 2;
                    one := select cart where row.key == 3;
                    assert one.item == select_none or count(one) == 1, "update";
                    delete cart where row.n == 1;
                  commit
                  begin
                    all := select cart;
                    assert count(all) == 2 and sum(all.n) == 52 and not contains(all.key, 2), "delete";
                    gone := select cart where row.key == 2;
                    assert count(gone) == 0, "a key that is not there";
                  commit
                }
                """
                          .replace("one.item == select_none or ", "")))
          .isEmpty();
    }
  }

  @Test
  void functionsForRowsThatNeedNotBeThereDoWhatTheySay() {
    assertThat(
            failures(
                """
                table t(n);
                row t[1] = (n = 5);
                session s {
                  begin
                    one := select t where row.key == 1;
                    none := select t where row.key == 2;
                    assert only(one.n) == 5 and only(none.n) == absent, "only";
                    assert coalesce(only(none.n), 7) == 7 and coalesce(only(one.n), 7) == 5;
                    assert known(only(one.n)) == 5, "known";
                    assert pair(1, pair("a", true)) == "1:a\\:true", "pair";
                    assert pair("a:b", "c") != pair("a", "b:c"), "no two pairs look alike";
                    assert pair("a", "b:") != pair("a:b", ""), "nor these";
                  commit
                }
                """))
        .isEmpty();
    assertThatThrownBy(() -> failures("session s { begin a := known(absent); commit }"))
        .hasMessage("line 1, column 24: found no value where one is needed");
    assertThatThrownBy(() -> failures("session s { begin a := only({1, 2}); commit }"))
        .hasMessage("line 1, column 24: found 2 values; expected one at most");
    assertThatThrownBy(() -> failures("session s { begin a := pair({1}, 2); commit }"))
        .hasMessageContaining("found [1]; expected a number, a text or a truth value");
  }

  private static final String TWO_WHO_COUNT =
      """
      table place(student);
      transaction enrol(s) {
        taken := select place;
        if count(taken) == 0 { insert place[s] (student = s); }
      }
      session ann { enrol("ann"); }
      session ben { enrol("ben"); }
      final { all := select place; assert count(all) <= 1, "too many"; }
      """;

  @Test
  void insertsOfDifferentRowsConflictOnlyInASetTable() {
    for (IsolationLevel level :
        List.of(IsolationLevel.SNAPSHOT_ISOLATION, IsolationLevel.SERIALIZABLE)) {
      assertThat(AssertionVerdict.of(parse(TWO_WHO_COUNT), level, () -> true).hold())
          .as("%s", level)
          .isEqualTo(level == IsolationLevel.SERIALIZABLE);
      assertThat(AssertionVerdict.of(parse("set " + TWO_WHO_COUNT), level, () -> true).hold())
          .as("%s of a set table", level)
          .isTrue();
    }
  }

  @Test
  void aDeleteConflictsWithAnUpdateOfTheRowOnlyWithoutASet() {
    String program =
        """
        table t(n);
        row t[1] = (n = 1);
        session a { begin delete t where row.key == 1; commit }
        session b { begin update t set n = 2 where row.key == 1; commit }
        """;
    IsolationLevel level = IsolationLevel.SNAPSHOT_ISOLATION;
    assertThat(AssertionVerdict.of(parse(program), level, () -> true).histories()).isEqualTo(2);
    // Of a set, the update may come after the delete: it changes what is in no set any more.
    assertThat(AssertionVerdict.of(parse("set " + program), level, () -> true).histories())
        .isEqualTo(3);
  }

  @Test
  void aRowIsFoundOfWhichTheKeyIsComputedFromWhatFewHistoriesRead() {
    // Only one whose first session comes last reads 9 increments, and so makes the row 9.
    StringBuilder program = new StringBuilder("var n = 0; table t(a);\n");
    program.append("session a { begin k := read(n); if k == 9 { insert t[k] (a = 1); } commit }\n");
    program.append("session b {");
    for (int i = 1; i <= 9; i++) {
      program.append(" begin write(n, %d); commit".formatted(i));
    }
    program.append(" }\nsession c { begin all := select t; write(seen, count(all)); commit }\n");
    String text =
        program
            .append("final { found := read(seen); assert found == 0, \"seen\"; }")
            .insert(0, "var seen = 0; ")
            .toString();
    AssertionVerdict verdict =
        AssertionVerdict.of(parse(text), IsolationLevel.SERIALIZABLE, () -> true);
    assertThat(verdict.fail()).isTrue();
    assertThat(verdict.witness()).isNotNull();
  }

  @Test
  void anInsertMayAbortWhereTheKeyIsThere() {
    for (String kind : List.of("table", "set table")) {
      assertThat(
              failures(
                  kind
                      + """
                 t(n);
                row t[1] = (n = 5);
                session s {
                  begin insert t[1] (n = 6) or abort; assert false, "went on"; commit
                  begin insert t[2] (n = 6) or abort; commit
                }
                final {
                  all := select t;
                  assert sum(all.n) == 11, "only the second row is new";
                }
                """))
          .isEmpty();
    }
    assertThatThrownBy(
            () -> parse("table t(a); session s { begin insert t[1] (a = 1) or x; commit }"))
        .hasMessageContaining("found 'x'; expected 'abort'");
  }

  @Test
  void aTransactionIsAbortedOrAnAssertionFailsInTheOrderOfItsStatements() {
    assertThat(
            failures("session s { begin assert 1 == 2, \"no\"; assert false, \"later\"; commit }"))
        .containsExactly("s.t1: no");
    assertThat(failures("session s { begin abort; assert 1 == 2, \"no\"; commit }")).isEmpty();
    assertThat(failures("session s { begin a := 1; commit assert a == 2, \"after\"; }"))
        .containsExactly("s.t1: after");
  }

  @Test
  void argumentsAreComputedBeforeAnyParameterChanges() {
    assertThat(
            failures(
                """
                var z = 0;
                transaction t(a, b) { write(z, a - b); }
                session s {
                  begin a := 5; b := 2; commit
                  t(b, a);
                  begin c := read(z); assert c == -3, "swapped"; commit
                }
                """))
        .isEmpty();
  }

  @Test
  void aConditionOnTheKeyReadsOneRowUnlessItDependsOnTheRow() {
    String table =
        "table t(a); row t[1] = (a = 1); row t[2] = (a = 1); session s { begin one := select t; ";
    assertThat(
            failures(
                table
                    + "own := select t where row.key == row.a; assert count(own) == 1, \"own\";"
                    + " commit }"))
        .isEmpty();
    Execution begin =
        parse(
                "set table t(a); row t[1] = (a = 1); row t[2] = (a = 1); session s { begin k := 2;"
                    + " one := select t where k == row.key and row.a == 1; commit }")
            .sessions()
            .get(0)
            .begin()
            .get();
    assertThat(begin.variable()).isEqualTo("t");
    Execution row = begin.resume(Operators.set(List.of(1L, 2L)));
    assertThat(row.variable()).isEqualTo("t[2]");
    assertThat(row.resume(new Row(2L, Map.of("a", 1L))).state())
        .isEqualTo(Execution.State.COMMITTED);
  }

  @Test
  void setsKeepWhatDiffers() {
    assertThat(
            failures(
                "session s { begin s := {1, \"1\", true, \"true\"};"
                    + " assert count(s) == 4 and count({true, true}) == 1; commit }"))
        .isEmpty();
  }

  @Test
  void anAssertionAfterATransactionIsMadeIfItCommitted() {
    assertThat(
            failures(
                "var n = 0; session s { begin a := read(n); if a == 0 { abort; } m := a; commit"
                    + " assert m > 0; }"))
        .isEmpty();
  }

  @Test
  void whetherAnythingIsAssertedIsKnown() {
    assertThat(parse("session s { begin commit }").asserts()).isFalse();
    assertThat(parse("session s { begin commit assert true; }").asserts()).isTrue();
    assertThat(parse("session s { begin commit } final { assert true; }").asserts()).isTrue();
  }

  @Test
  void callsBindParameters() {
    Program program =
        parse(
            "var x[1 to 2] = 0; transaction set(i, v) { write(x[i], v); } session s { set(2, 5); }");
    Execution end = program.sessions().get(0).begin().get();
    assertThat(end.state()).isEqualTo(Execution.State.COMMITTED);
    assertThat(end.writes()).containsExactly(Map.entry("x[2]", 5L));
    assertThat(program.sessions().get(0).transactions())
        .containsExactly(new Program.Transaction("set(2, 5)", "set", null));
  }

  @Test
  void parametersAreGivenFromOutside() {
    String text = "param n = 1; var x = n; session s { begin a := read(x); commit }";
    assertThat(ProgramText.parse("p", text, Map.of("n", "7")).initial()).containsEntry("x", 7L);
    assertThatThrownBy(() -> ProgramText.parse("p", text, Map.of("m", "7")))
        .hasMessage("the program has no parameter 'm'; expected one of [n]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | line 1, column 1: a program without a session; expected session name { … }",
        "'nonsense' | line 1, column 1: found 'nonsense'; expected param, var, table, set table, row,",
        "'session s { }' | line 1, column 9: the session has no transaction",
        "'session s { begin a := ; commit }' | line 1, column 24: found ';'; expected a value",
        "'session s { begin a := read(x); commit }' | line 1, column 29: there is no variable 'x'",
        "'var x = 0; session s { begin a := x; commit }' | column 35: 'x' is a variable; read it first",
        "'var x = 0; session s { begin x := 1; commit }' | column 30: 'x' is no local",
        "'var x = 0; var x = 1;' | column 16: 'x' has an initial value already",
        "'table t(a); var t = 0;' | column 17: 't' is declared already, as a table",
        "'table t(a); var t[1] = 0;' | column 17: 't' is declared already, as a table",
        "'param n = 1; var n = 0;' | column 18: 'n' is declared already, as a parameter",
        "'param n = 1; session s { begin a := read(n); commit }' | there is no variable 'n'",
        "'table t(a); session s { begin write(t[1], 5); commit }' | is a table; expected insert",
        "'var x = 9223372036854775807 + 1;' | column 29: the result is too large",
        "'var x[1 to 1000000000] = 0;' | column 5: found elements 1 to 1000000000; expected 1 to 10,000",
        "'var x[3 to 1] = 0;' | column 5: found elements 3 to 1; expected 1 to 10,000 of them",
        "'transaction t() { nonsense; } session s { begin commit }' | column 27: found ';' behind 'nonsense'; expected ':='",
        "'var x = 0; session s { begin wirte(x, 1); commit }' | found '(' behind 'wirte'; expected ':=' and a value for a local, or one of the statements write, if, abort,",
        "'session s { begin a := 1; }' | column 27: found '}' before the transaction ends; expected commit,",
        "'transaction final() { } session s { final(); }' | column 13: 'final' means something",
        "'transaction commit() { } session s { begin commit }' | column 13: 'commit' means something",
        "'transaction begin() { } session s { begin commit }' | column 13: 'begin' means something",
        "'session s { begin row := 1; commit }' | column 19: 'row' is the row that a statement looks at",
        "'transaction t(row) { } session s { t(1); }' | column 15: 'row' is the row that a statement",
        "'table t(key, v);' | column 9: row.key is the key of each row; expected another name",
        "'session s { begin a := 1.5; commit }' | column 26: found a number that is not whole",
        "'session s { begin a := 9223372036854775808; commit }' | column 24: 9223372036854775808 is too",
        "'table t(v); session s { begin update t set v = 2, v = 3; commit }' | column 51: the column 'v' is set twice",
        "'table t(v); row t[1] = (v = 1); row t[1] = (v = 2);' | there is a row t[1] already",
        "'session s { begin commit } session s { begin commit }' | column 36: there is a session 's'",
        "'session final { begin commit }' | column 9: 'final' is no name of a session",
        "'session s { begin a := b; commit }' | column 24: there is no local and no parameter 'b'",
        "'session s { begin a := f(1); commit }' | column 24: there is no function 'f'",
        "'session s { begin a := count(1, 2); commit }' | column 24: count has 2 arguments; expected 1",
        "'session s { buy(); }' | column 13: there is no transaction 'buy'",
        "'transaction b(x) { } session s { b(); }' | column 34: b has 0 arguments; expected 1",
        "'transaction b() { ' | column 13: the braces of 'b' are not closed",
        "'session s { begin a := \"x; commit }' | column 24: a string that does not end on its line",
        "'session s { begin a := 1 commit }' | column 26: found 'commit'; expected ';'",
        "'session s { begin a := 99999999999999999999; commit }' | column 24: 99999999999999999999 is too",
        "'session s { begin a := 1 $ 2; commit }' | column 26: '$' has no meaning here",
        "'session s { begin' | found the end of the text; expected a statement",
        "'table t(a); session s { begin insert t[1] (); commit }' | expected a value for each of [a]",
        "'table t(a); session s { begin insert t[1] (b = 1); commit }' | there is no column 'b'",
        "'session s { assert true; }' | nothing has run yet that could be asserted",
        "'final { } final { }' | column 11: final stands there already",
      })
  void whatIsWrongIsSaidWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(SourceError.class)
        .hasMessageContaining(message.strip());
  }

  @Test
  void whatGoesWrongInARunIsSaidWithItsPlace() {
    assertThatThrownBy(
            () ->
                failures(
                    "session s { begin a := {1}; b := sum(a) - 3 - 9223372036854775807; commit }"))
        .isInstanceOf(SourceError.class)
        .hasMessageContaining("the result is too large");
    assertThatThrownBy(
            () -> failures("var x = 0; session s { begin a := read(x);\n b := 1 / a; commit }"))
        .isInstanceOf(SourceError.class)
        .hasMessage("line 2, column 9: division by zero");
    assertThatThrownBy(() -> failures("session s { begin if 1 { } commit }"))
        .hasMessageContaining("found 1; expected true or false");
  }

  @Test
  void differentValuesLookDifferent() {
    assertThat(
            failures(
                """
                var x = 0;
                session s {
                  begin
                    assert pair(1, 2) != pair("1", "2") and pair("true", 1) != pair(true, 1), "pairs";
                    assert pair("-1", "") != pair(-1, "") and pair("-", "") == "-:", "signs";
                    write(x[{1}], 1); write(x[{"1"}], 2); write(x["1"], 3); write(x[1], 4);
                    a := read(x[{1}]); b := read(x[{"1"}]); c := read(x["1"]); d := read(x[1]);
                    assert a == 1 and b == 2 and c == 3 and d == 4, "elements";
                    assert -9223372036854775808 < -9223372036854775807, "the least number";
                  commit
                }
                """))
        .isEmpty();
  }

  @Test
  void whatIsAbsentIsNoPartOfAText() {
    assertThatThrownBy(() -> failures("session s { begin a := \"n \" + absent; commit }"))
        .isInstanceOf(SourceError.class)
        .hasMessage("line 1, column 29: found no value where one is needed");
  }

  @Test
  void aMarkBeforeTheTextIsSkipped() {
    assertThat(failures("\uFEFFsession s { begin commit }")).isEmpty();
  }

  @Test
  void theTypeOfAParameterIsThatOfTheValueThatItReplaces() {
    String text = "param t = \"7\"; param n = 2; param b = true; var x = t; var y = n; var z = b;";
    String program = text + " session s { begin commit }";
    assertThat(ProgramText.parse("p", program, Map.of("t", "8", "n", "-3", "b", "false")).initial())
        .isEqualTo(Map.of("x", "8", "y", -3L, "z", false));
    assertThatThrownBy(() -> ProgramText.parse("p", program, Map.of("n", "three")))
        .hasMessage("the parameter 'n': found 'three'; expected a whole number of 64 bits");
    assertThatThrownBy(() -> ProgramText.parse("p", program, Map.of("b", "1")))
        .hasMessage("the parameter 'b': found '1'; expected true or false");
  }
}
