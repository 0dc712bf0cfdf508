package io.isotail.incremental.explore.language;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value to be computed from locals. */
sealed interface Expression {

  /** The word that it begins with, or its sign. */
  Token at();

  /**
   * Computes it.
   *
   * @throws SourceError if the values do not fit
   */
  Object value(Object[] locals);

  /** A value that stands in the text. */
  record Constant(Token at, Object value) implements Expression {
    @Override
    public Object value(Object[] locals) {
      return value;
    }
  }

  /** What a local has. */
  record Local(Token at, int slot) implements Expression {
    @Override
    public boolean mentions(int other) {
      return slot == other;
    }

    @Override
    public Object value(Object[] locals) {
      Object value = locals[slot];
      if (value == null) {
        throw at.error("'" + at.text() + "' has no value yet");
      }
      return value;
    }
  }

  /** Two values and a sign; of {@code &&} and {@code ||} the second one only if it matters. */
  record Binary(Token at, Expression left, Expression right) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(left, right);
    }

    @Override
    public Object value(Object[] locals) {
      Object first = left.value(locals);
      if (at.is("&&") && !Operators.truth(at, first)) {
        return false;
      }
      if (at.is("||") && Operators.truth(at, first)) {
        return true;
      }
      return Operators.binary(at, first, right.value(locals));
    }
  }

  /** Not, or minus. */
  record Unary(Token at, Expression of) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(of);
    }

    @Override
    public Object value(Object[] locals) {
      Object value = of.value(locals);
      return at.is("!")
          ? (Object) !Operators.truth(at, value)
          : (Object) Operators.exact(at, 0L, value, Math::subtractExact);
    }
  }

  /** A column of a row or of rows. */
  record Column(Token at, Expression of) implements Expression {
    @Override
    public List<Expression> parts() {
      return List.of(of);
    }

    @Override
    public Object value(Object[] locals) {
      return Operators.column(at, of.value(locals));
    }
  }

  /** A function. */
  record Call(Token at, List<Expression> arguments) implements Expression {
    @Override
    public List<Expression> parts() {
      return arguments;
    }

    @Override
    public Object value(Object[] locals) {
      return Operators.call(at, values(arguments, locals));
    }
  }

  /** A set that stands in the text. */
  record SetOf(Token at, List<Expression> members) implements Expression {
    @Override
    public List<Expression> parts() {
      return members;
    }

    @Override
    public Object value(Object[] locals) {
      return Operators.set(values(members, locals));
    }
  }

  /** A row that is made of its key and columns. */
  record RowOf(Token at, Expression key, List<String> names, List<Expression> columns)
      implements Expression {
    @Override
    public Object value(Object[] locals) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        values.put(names.get(i), columns.get(i).value(locals));
      }
      return new Row(key.value(locals), values);
    }
  }

  /** A row with columns changed. */
  record Changed(Token at, Expression row, List<String> names, List<Expression> columns)
      implements Expression {
    @Override
    public Object value(Object[] locals) {
      if (!(row.value(locals) instanceof Row changed)) {
        throw at.error("found " + row.value(locals) + " in the table; expected a row");
      }
      for (int i = 0; i < names.size(); i++) {
        changed = changed.with(names.get(i), columns.get(i).value(locals));
      }
      return changed;
    }
  }

  /** All keys that rows of a table can have, as far as they are known. */
  record AllKeys(Token at, RowKeys keys) implements Expression {
    @Override
    public Object value(Object[] locals) {
      return keys.known();
    }
  }

  /** A member of a set by its place. */
  record Member(Token at, Expression set, Expression place) implements Expression {
    @Override
    public Object value(Object[] locals) {
      long skipped = Operators.number(at, place.value(locals));
      for (Object member : Operators.collection(at, set.value(locals))) {
        if (skipped-- == 0) {
          return member;
        }
      }
      throw at.error("the set has fewer members");
    }
  }

  /** Rows and one more. */
  record Longer(Token at, Expression rows, Expression row) implements Expression {
    @Override
    public Object value(Object[] locals) {
      List<Object> longer = new ArrayList<>(Operators.collection(at, rows.value(locals)));
      longer.add(row.value(locals));
      return List.copyOf(longer);
    }
  }

  /** A set without some members. */
  record Without(Token at, Expression set, Expression members) implements Expression {
    @Override
    public Object value(Object[] locals) {
      List<Object> kept = new ArrayList<>(Operators.collection(at, set.value(locals)));
      kept.removeAll(Operators.collection(at, members.value(locals)));
      return Operators.set(kept);
    }
  }

  /** Whether the value depends on that local. */
  default boolean mentions(int slot) {
    return parts().stream().anyMatch(part -> part.mentions(slot));
  }

  /** What it is computed from. */
  default List<Expression> parts() {
    return List.of();
  }

  private static List<Object> values(List<Expression> expressions, Object[] locals) {
    List<Object> values = new ArrayList<>(expressions.size());
    for (Expression expression : expressions) {
      values.add(expression.value(locals));
    }
    return values;
  }
}
