package io.isotail.incremental.explore;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.explore.language.ProgramText;
import java.util.Map;
import java.util.Random;

/** Small random programs in the text language, with branches, aborts and reads of own writes. */
final class RandomPrograms {
  private final Random random;

  RandomPrograms(long seed) {
    this.random = Seeds.random(seed);
  }

  /** Text of a program of at most that many transactions, a final one not counted. */
  String text(int mostTransactions) {
    StringBuilder text = new StringBuilder("var x = 0; var y = 0; var z = 0;\n");
    boolean table = random.nextInt(5) == 0;
    text.append(table && random.nextBoolean() ? "set " : "");
    text.append(table ? "table t(a); row t[1] = (a = 0);\n" : "");
    int left = 2 + random.nextInt((table ? Math.min(mostTransactions, 3) : mostTransactions) - 1);
    for (int session = 0; left > 0 && session < 4; session++) {
      int transactions = 1 + random.nextInt(Math.min(left, 3));
      left -= transactions;
      text.append("session s").append(session).append(" {\n");
      for (int t = 0; t < transactions; t++) {
        text.append("  begin ");
        if (table && random.nextInt(3) > 0) {
          statementOnATable(text, session * 10 + t);
        } else {
          body(text, session * 10 + t);
        }
        text.append("commit\n");
      }
      text.append("}\n");
    }
    if (random.nextInt(4) == 0) {
      text.append("final { a := read(x); b := read(y); }\n");
    }
    return text.toString();
  }

  /** Text of a program of which some executions divide by zero, or need a value that is absent. */
  String textWithErrors(int mostTransactions) {
    return text(mostTransactions)
        .replace("write(x, a + 1)", "b := 1 / (a - 1); write(x, a + b)")
        .replace("if a == 0 {", "b := 7 / a; if a == 0 {")
        .replace("write(y, count(n))", "o := only(n.a) + 1; write(y, o)")
        .replace("b := read(y); }", "b := read(y); c := 1 / (a - b); }");
  }

  Program program(int mostTransactions) {
    return ProgramText.parse("random", text(mostTransactions), Map.of());
  }

  private void statementOnATable(StringBuilder text, int number) {
    int key = 1 + random.nextInt(2);
    text.append(
        switch (random.nextInt(5)) {
          case 0 -> "insert t[%d] (a = %d); ".formatted(key, number);
          case 1 -> "update t set a = row.a + 1 where row.key == %d; ".formatted(key);
          case 2 -> "delete t where row.a == %d; ".formatted(random.nextInt(3));
          case 3 -> "n := select t; if count(n) == 0 { write(x, %d); } ".formatted(number);
          default -> "n := select t where row.a > 0; write(y, count(n)); ";
        });
  }

  private void body(StringBuilder text, int number) {
    int statements = 1 + random.nextInt(3);
    boolean hasRead = false;
    for (int i = 0; i < statements; i++) {
      String variable = variable();
      switch (random.nextInt(hasRead ? 5 : 3)) {
        case 0, 1 -> {
          text.append("a := read(").append(variable).append("); ");
          hasRead = true;
        }
        case 2 -> text.append("write(%s, %d); ".formatted(variable, number * 10 + i + 1));
        case 3 ->
            text.append(
                "if a %% 2 == %d { write(%s, a + 1); } ".formatted(random.nextInt(2), variable));
        default ->
            text.append(
                random.nextInt(3) == 0
                    ? "if a > %d { abort; } ".formatted(random.nextInt(20))
                    : "if a == 0 { a := read(%s); } ".formatted(variable));
      }
    }
  }

  private String variable() {
    return String.valueOf((char) ('x' + random.nextInt(3)));
  }
}
