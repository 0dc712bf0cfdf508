package io.isotail.monitor.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs in which something stands in itself, or in a row, very many times. */
final class DeepProgramTest {
  private static final int[] SIZES = {10_000, 100_000};

  @TempDir private Path folder;

  private record Said(int status, String out, String err) {}

  private Said explore(String file, String text) throws IOException {
    Path program = folder.resolve(file);
    Files.writeString(program, text);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            "explore",
            "--level",
            "causal",
            program.toString());
    return new Said(status, out.toString(), err.toString());
  }

  private static Stream<Arguments> sized(String name, IntFunction<String> statements) {
    return Stream.of(SIZES[0], SIZES[1])
        .map(size -> Arguments.of(Named.of(name + ", " + size, statements.apply(size))));
  }

  private static String times(String begin, int size, String inner, String end) {
    return begin.repeat(size) + inner + end.repeat(size);
  }

  static Stream<Arguments> tooDeep() {
    return Stream.of(
            sized("brackets", n -> "a := " + times("(", n, "1", ")") + ";"),
            sized("brackets that do not end", n -> "a := " + times("(", n, "", "") + ";"),
            sized("not", n -> "assert " + times("not ", n, "true", "") + ";"),
            sized("!", n -> "assert " + times("!", n, "true", "") + ";"),
            sized("minus", n -> "a := " + times("- ", n, "1", "") + ";"),
            sized("not in brackets", n -> "assert " + times("not (", n, "true", ")") + ";"),
            sized("sums in brackets", n -> "a := " + times("1 + (", n, "1", ")") + ";"),
            sized("functions", n -> "a := " + times("coalesce(1, ", n, "1", ")") + ";"),
            sized("sets", n -> "a := " + times("{", n, "1", "}") + ";"),
            sized("sets of sets", n -> "a := {1}; " + times("a := {a}; ", n, "", "")),
            sized("keys", n -> "write(x[" + times("(", n, "1", ")") + "], 1);"),
            sized("if", n -> times("if true { ", n, "a := 1;", "}")),
            sized("if that does not end", n -> times("if true { ", n, "", "")),
            sized("if behind else", n -> times("if false { } else { ", n, "a := 1;", "}")))
        .flatMap(one -> one);
  }

  @ParameterizedTest
  @MethodSource
  @Timeout(120)
  void tooDeep(String statements) throws IOException {
    Said inASession =
        explore("deep.explore", "var x = 0;\nsession s { begin\n" + statements + "\ncommit }");
    assertIsRefused(inASession, "deep.explore: line 3, column ", " stand in each other; expected ");
    Said called =
        explore(
            "called.explore",
            "var x = 0;\ntransaction t() {\n" + statements + "\n} session s { t(); }");
    if (!called.err().contains("the braces of 't' are not closed")) {
      assertIsRefused(called, "called.explore: line 3, column ", " stand in each other; expected ");
    }
  }

  static Stream<Arguments> tooDeepInSql() {
    return Stream.of(
            sized("brackets", n -> "SET :a = " + times("(", n, "1", ")") + ";"),
            sized("brackets that do not end", n -> "SET :a = " + times("(", n, "", "") + ";"),
            sized("NOT", n -> "ASSERT " + times("NOT ", n, "TRUE", "") + ";"),
            sized("NOT in brackets", n -> "ASSERT " + times("NOT (", n, "TRUE", ")") + ";"),
            sized("minus in brackets", n -> "SET :a = " + times("-(", n, "1", ")") + ";"),
            sized("sums in brackets", n -> "SET :a = " + times("1 + (", n, "1", ")") + ";"),
            sized("COALESCE", n -> "SET :a = " + times("COALESCE(", n, "1", ", 1)") + ";"),
            sized(
                "conditions",
                n -> "UPDATE t SET n = 1 WHERE " + times("(", n, "id = 1", ")") + ";"),
            sized("IN", n -> "ASSERT " + times("(", n, "TRUE", " NOT IN (TRUE))") + ";"),
            sized("values", n -> "INSERT INTO t VALUES (" + times("(", n, "1", ")") + ", 1);"),
            sized("IF", n -> times("IF TRUE THEN ", n, "SET :a = 1;", " END IF;")),
            sized("IF that does not end", n -> times("IF TRUE THEN ", n, "", "")),
            sized(
                "IF behind ELSE",
                n -> times("IF FALSE THEN SET :a = 1; ELSE ", n, "SET :a = 1;", " END IF;")))
        .flatMap(one -> one);
  }

  @ParameterizedTest
  @MethodSource
  @Timeout(120)
  void tooDeepInSql(String statements) throws IOException {
    Said said = explore("deep.sql", sql(statements));
    assertIsRefused(said, "deep.sql: line 4, column ", " stand in each other; expected at most 40");
  }

  static Stream<Arguments> refusedInSql() {
    return Stream.of(
            sized("- - -", n -> "SET :a = " + times("- ", n, "1", "") + ";"),
            sized(
                "COALESCE of a column",
                n -> "SELECT " + times("COALESCE(", n, "n", ", 1)") + " INTO :a FROM t;"),
            sized("SELECT", n -> times("SELECT n FROM (", n, "t", ")") + ";"))
        .flatMap(one -> one);
  }

  @ParameterizedTest
  @MethodSource
  @Timeout(120)
  void refusedInSql(String statements) throws IOException {
    assertIsRefused(
        explore("refused.sql", sql(statements)), "refused.sql: line 4, column ", "; expected ");
  }

  private static void assertIsRefused(Said said, String place, String reason) {
    assertThat(said.err()).contains(place).contains("found ").contains(reason);
    assertThat(said.err().lines().filter(line -> line.contains("\tat "))).isEmpty();
    assertThat(said.status()).isEqualTo(2);
    assertThat(said.out()).doesNotContain("exhausted");
  }

  private static String sql(String statements) {
    return "CREATE TABLE t (id INT PRIMARY KEY, n INT);\nINSERT INTO t VALUES (1, 1);\n"
        + "TRANSACTION x() BEGIN\n"
        + statements
        + "\nCOMMIT;\nSESSION s BEGIN CALL x(); END;\n";
  }

  /** What SQL allows is not too deep for the language that it is compiled to. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ASSERT | ( | TRUE | ) | ; | 39",
        "ASSERT | 'NOT ' | TRUE | '' | OR TRUE; | 39",
        "ASSERT | NOT ( | TRUE | ) | OR TRUE; | 19",
        "ASSERT | ( | TRUE | ' NOT IN (TRUE))' | OR TRUE; | 39",
        "SET :a = | -( | 1 | ) | ; | 39",
        "SET :a = | 1 + ( | 1 | ) | ; | 39",
        "SET :a = | -( 1 + ( | 1 | )) | ; | 19",
        "SET :a = | -COALESCE( | 1 | ', 1)' | ; | 39",
        "'' | 'IF TRUE THEN ' | SET :a = 1; | ' END IF;' | '' | 40",
      })
  void whatFits(String begin, String open, String inner, String close, String end, int deepest)
      throws IOException {
    for (int depth : new int[] {deepest, deepest + 1}) {
      String statement = begin + " " + times(open, depth, inner, close) + " " + end;
      Said said = explore("fits.sql", sql(statement));
      assertThat(said.status()).as("%d: %s", depth, said.err()).isEqualTo(depth == deepest ? 0 : 2);
    }
  }

  static Stream<Arguments> longOnes() {
    return Stream.of(
            sized("sums", n -> "a := 1" + " + 1".repeat(n) + "; assert a == " + (n + 1) + ";"),
            sized("texts", n -> "a := \"\"" + " + \"x\"".repeat(n) + "; assert a != \"\";"),
            sized("products", n -> "a := 1" + " * 1".repeat(n) + "; assert a == 1;"),
            sized("and", n -> "assert true" + " and true".repeat(n) + ";"),
            sized("or", n -> "assert false" + " or false".repeat(n) + " or true;"),
            sized("comparisons", n -> "assert true" + " == true".repeat(n) + ";"),
            sized("members", n -> "a := {1" + ", 1".repeat(n) + "}; assert count(a) == 1;"),
            sized(
                "else if",
                n ->
                    "x := 7; if x == 0 { a := 0; }"
                        + " else if x == 1 { a := 1; }".repeat(n)
                        + " else { a := 2; } assert a == 2;"),
            sized(
                "statements",
                n -> "a := 0; " + "a := a + 1; ".repeat(n) + "assert a == " + n + ";"))
        .flatMap(one -> one);
  }

  @ParameterizedTest
  @MethodSource
  @Timeout(120)
  void longOnes(String statements) throws IOException {
    Said said =
        explore("long.explore", "transaction t() {\n" + statements + "\n} session s { t(); }");
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).containsPattern("causal .* hold");
    assertThat(said.status()).isZero();
  }

  static Stream<Arguments> longOnesInSql() {
    return Stream.of(
            sized("sums", n -> "SET :a = 1" + " + 1".repeat(n) + "; ASSERT :a = " + (n + 1) + ";"),
            sized("texts", n -> "SET :a = ''" + " || 'x'".repeat(n) + "; ASSERT :a <> '';"),
            sized("AND", n -> "ASSERT TRUE" + " AND TRUE".repeat(n) + ";"),
            sized("OR", n -> "ASSERT FALSE" + " OR FALSE".repeat(n) + " OR TRUE;"),
            sized("IN", n -> "ASSERT 1 IN (2" + ", 2".repeat(n) + ", 1);"),
            sized(
                "conditions",
                n ->
                    "UPDATE t SET n = 2 WHERE n = 1"
                        + " AND n = 1".repeat(n)
                        + " AND id = 1; SELECT n INTO :a FROM t WHERE id = 1; ASSERT :a = 2;"),
            sized(
                "ELSIF",
                n ->
                    "SET :x = 7; IF :x = 0 THEN SET :a = 0;"
                        + " ELSIF :x = 1 THEN SET :a = 1;".repeat(n)
                        + " ELSE SET :a = 2; END IF; ASSERT :a = 2;"))
        .flatMap(one -> one);
  }

  @ParameterizedTest
  @MethodSource
  @Timeout(120)
  void longOnesInSql(String statements) throws IOException {
    Said said = explore("long.sql", sql(statements));
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).containsPattern("causal .* hold");
    assertThat(said.status()).isZero();
  }
}
