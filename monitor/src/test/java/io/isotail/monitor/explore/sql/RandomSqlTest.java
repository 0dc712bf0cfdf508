package io.isotail.monitor.explore.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.ProgramText;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.Examples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import org.junit.jupiter.api.Test;

/** Random expressions and programs, against what they were made from; a failure prints the seed. */
final class RandomSqlTest {
  private static final long FIRST_SEED = Seeds.FIRST;
  private static final int EXPRESSIONS = 2_000;
  private static final int PROGRAMS = 300;

  /** An expression, and what it is. */
  private record Made(String sql, Object value, int strength) {
    String in(int least) {
      return strength >= least ? sql : "(" + sql + ")";
    }
  }

  private static Made number(Random random, int depth) {
    if (depth == 0 || random.nextInt(4) == 0) {
      long value = random.nextInt(20);
      return new Made(Long.toString(value), value, 4);
    }
    Made left = number(random, depth - 1);
    Made right = number(random, depth - 1);
    long a = (Long) left.value;
    long b = (Long) right.value;
    return switch (random.nextInt(6)) {
      case 0 -> new Made(left.in(2) + " + " + right.in(3), a + b, 2);
      case 1 -> new Made(left.in(2) + " - " + right.in(3), a - b, 2);
      case 2 -> new Made(left.in(3) + " * " + right.in(4), a * b, 3);
      case 3 -> b == 0 ? left : new Made(left.in(3) + " / " + right.in(4), a / b, 3);
      case 4 -> b == 0 ? left : new Made(left.in(3) + " % " + right.in(4), a % b, 3);
      default -> new Made("-" + (left.strength == 4 ? left.sql : "(" + left.sql + ")"), -a, 3);
    };
  }

  /** Strengths: 1 or, 2 and, 3 not, 4 comparison, 5 nothing to tell apart. */
  private static Made truth(Random random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      Made left = number(random, 2);
      Made right = number(random, 2);
      long a = (Long) left.value;
      long b = (Long) right.value;
      return switch (random.nextInt(5)) {
        case 0 -> new Made(left.in(2) + " = " + right.in(2), a == b, 4);
        case 1 -> new Made(left.in(2) + " <= " + right.in(2), a <= b, 4);
        case 2 -> new Made(left.in(2) + " <> " + right.in(2), a != b, 4);
        case 3 -> new Made(left.in(2) + " IN (" + right.sql + ", 3)", a == b || a == 3, 4);
        default -> {
          String sql = left.in(2) + " NOT BETWEEN 0 AND " + right.in(2);
          yield new Made(sql, !(a >= 0 && a <= b), 4);
        }
      };
    }
    Made left = truth(random, depth - 1);
    Made right = truth(random, depth - 1);
    boolean a = (Boolean) left.value;
    boolean b = (Boolean) right.value;
    return switch (random.nextInt(3)) {
      case 0 -> new Made(left.in(1) + " OR " + right.in(2), a || b, 1);
      case 1 -> new Made(left.in(2) + " AND " + right.in(3), a && b, 2);
      default -> new Made("NOT " + left.in(3), !a, 3);
    };
  }

  @Test
  void expressionsHaveTheValueThatTheyWereMadeFor() {
    long seed = FIRST_SEED;
    Random random = new Random(seed);
    for (int i = 0; i < EXPRESSIONS; i++) {
      Made number = number(random, 4);
      Made truth = truth(random, 4);
      Program program =
          SqlProgram.compile(
                  "SESSION s BEGIN START TRANSACTION; SET :n = %s; SET :b = %s; COMMIT; END;"
                          .formatted(number.sql, truth.sql)
                      + "SESSION t BEGIN START TRANSACTION; "
                      + "ASSERT %s = %s; ASSERT (%s) = %s; COMMIT; END;"
                          .formatted(
                              number.in(2),
                              (Long) number.value < 0 ? "(" + number.value + ")" : number.value,
                              truth.sql,
                              truth.value))
              .program("p", Map.of());
      List<String> failures = new ArrayList<>();
      Exploration.of(program, IsolationLevel.SERIALIZABLE)
          .run(
              history -> {
                String failure = history.failure();
                return failure == null || failures.add(failure);
              },
              () -> true);
      assertThat(failures).as("seed %d: %s; %s", seed, number, truth).isEmpty();
    }
  }

  /** The same statement in SQL and in the language of programs. */
  private record Both(String sql, String text) {}

  private static Both statement(Random random, int number) {
    int k = random.nextInt(3);
    int n = random.nextInt(3);
    String local = "x" + number;
    return switch (random.nextInt(8)) {
      case 0 ->
          new Both(
              "SELECT a INTO :%s FROM t WHERE k = %d;".formatted(local, k),
              "r := select t where row.key == %d; %s := only(r.a);".formatted(k, local));
      case 1 ->
          new Both(
              "SELECT COUNT(*) INTO :%s FROM t WHERE a > %d;".formatted(local, n),
              "r := select t where row.a > %d; %s := count(r);".formatted(n, local));
      case 2 ->
          new Both(
              "SELECT * FROM t WHERE a = %d;".formatted(n),
              "r := select t where row.a == %d;".formatted(n));
      case 3 ->
          new Both(
              "INSERT INTO t VALUES (%d, %d);".formatted(k, n),
              "insert t[%d] (k = %d, a = %d) or abort;".formatted(k, k, n));
      case 4 ->
          new Both(
              "UPDATE t SET a = a + %d WHERE k = %d;".formatted(n, k),
              "update t set a = row.a + %d where row.key == %d;".formatted(n, k));
      case 5 ->
          new Both(
              "UPDATE t SET a = %d WHERE a < %d;".formatted(k, n),
              "update t set a = %d where row.a < %d;".formatted(k, n));
      case 6 ->
          new Both(
              "DELETE FROM t WHERE k = %d;".formatted(k),
              "delete t where row.key == %d;".formatted(k));
      default ->
          new Both(
              "DELETE FROM t WHERE a = %d;".formatted(n),
              "delete t where row.a == %d;".formatted(n));
    };
  }

  private static List<String> histories(Program program, IsolationLevel level) {
    List<String> keys = new ArrayList<>();
    Exploration.of(program, level).run(history -> keys.add(history.key()), () -> true);
    return keys.stream().sorted().toList();
  }

  @Test
  void programsHaveTheHistoriesOfThoseInTheLanguageOfPrograms() {
    long seed = FIRST_SEED;
    Random random = new Random(seed);
    for (int i = 0; i < PROGRAMS; i++) {
      StringBuilder sql = new StringBuilder("CREATE TABLE t (k INT PRIMARY KEY, a INT);");
      StringBuilder text = new StringBuilder("table t(k, a);");
      sql.append("INSERT INTO t VALUES (0, 1), (1, 2);");
      text.append("row t[0] = (k = 0, a = 1); row t[1] = (k = 1, a = 2);");
      for (int s = 0; s < 2; s++) {
        sql.append("SESSION s").append(s).append(" BEGIN START TRANSACTION;");
        text.append("session s").append(s).append(" { begin ");
        for (int j = 0; j < 2; j++) {
          Both both = statement(random, j);
          sql.append(both.sql);
          text.append(both.text);
        }
        sql.append("COMMIT; END;");
        text.append(" commit }");
      }
      Program compiled = SqlProgram.compile(sql.toString()).program("p", Map.of());
      Program written = ProgramText.parse("p", text.toString(), Map.of());
      for (IsolationLevel level :
          List.of(IsolationLevel.READ_COMMITTED, IsolationLevel.SNAPSHOT_ISOLATION)) {
        assertThat(histories(compiled, level))
            .as("seed %d, %s: %s", seed, level, sql)
            .isEqualTo(histories(written, level));
      }
    }
  }

  /** What is read here as SQL is SQL: the general parser accepts each statement too. */
  @Test
  void everyStatementOfTheExamplesIsSql() throws JSQLParserException {
    int statements = 0;
    for (String example : Examples.NAMES) {
      if (!example.endsWith(".sql")) {
        continue;
      }
      String text = Examples.text(example).replaceAll("--.*", "");
      for (String part : text.split(";|\\bBEGIN\\b|\\bTHEN\\b", -1)) {
        String statement = part.strip().replaceAll("INTO (:\\w+(, )?)+", "");
        if (statement.matches("(?s)(SELECT|INSERT|UPDATE|DELETE|CREATE) .*")) {
          assertThat(CCJSqlParserUtil.parse(statement)).as(statement).isNotNull();
          statements++;
        }
      }
    }
    assertThat(statements).isGreaterThan(20);
  }
}
