package io.isotail.incremental.explore.language;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a transaction does next; jumps go to a place in its list. */
sealed interface Instruction {

  /** A local gets a value. */
  record Assign(int slot, Expression value) implements Instruction {}

  /** A local gets what a variable has. */
  record ReadVariable(int slot, Variable variable) implements Instruction {}

  /** A variable gets a value. */
  record WriteVariable(Variable variable, Expression value) implements Instruction {}

  /** A row of a table may have that key. */
  record ExpectKey(RowKeys keys, Expression key) implements Instruction {}

  /** Goes on elsewhere unless the condition holds. */
  record JumpUnless(Expression condition, int target) implements Instruction {}

  /** Goes on elsewhere. */
  record Jump(int target) implements Instruction {}

  /** The transaction takes back what it wrote, and ends. */
  record Abort() implements Instruction {}

  /**
   * Must hold.
   *
   * @param otherwise what is said if it does not
   */
  record Assert(Expression condition, String otherwise) implements Instruction {}

  /** A variable: a name, and an index where it is one of several. */
  record Variable(String name, @Nullable Expression index) {
    String of(Object[] locals) {
      return index == null ? name : element(name, index.value(locals));
    }

    static String element(String name, Object index) {
      return name + "[" + shown(index) + "]";
    }

    /** Different values look different: a text has quotes, in a set too. */
    private static String shown(Object value) {
      if (value instanceof String) {
        return "\"" + value + "\"";
      }
      if (value instanceof Row row) {
        return row.columns().entrySet().stream()
            .map(column -> column.getKey() + "=" + shown(column.getValue()))
            .collect(Collectors.joining(", ", "(", ")"));
      }
      return value instanceof Collection<?> members
          ? members.stream()
              .map(member -> shown(member))
              .collect(Collectors.joining(", ", "[", "]"))
          : value.toString();
    }
  }

  /**
   * A transaction.
   *
   * @param name for people
   * @param kind the transaction that was called, or the session and the name
   * @param level the level that it runs at; null if none is declared
   * @param body what it does before it commits
   * @param after assertions on what its session knows when it has ended
   */
  record Code(
      String name,
      String kind,
      @Nullable IsolationLevel level,
      List<Instruction> body,
      List<Assert> after) {

    Code withAfter(Assert assertion) {
      List<Assert> more = new ArrayList<>(after);
      more.add(assertion);
      return new Code(name, kind, level, body, List.copyOf(more));
    }
  }
}
