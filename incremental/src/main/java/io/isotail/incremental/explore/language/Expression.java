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

  /**
   * Values with signs of one strength between them, computed from left to right; of {@code &&} and
   * {@code ||} only as far as it matters. However long it is, it is not deep.
   */
  record Chain(Expression first, List<Link> rest) implements Expression {
    /** A sign, and the value that stands right of it. */
    record Link(Token sign, Expression value) {}

    /** Two values. */
    static Chain of(Token sign, Expression left, Expression right) {
      return new Chain(left, List.of(new Link(sign, right)));
    }

    /** The last sign, which is the one that is computed last. */
    @Override
    public Token at() {
      return rest.get(rest.size() - 1).sign();
    }

    @Override
    public List<Expression> parts() {
      List<Expression> parts = new ArrayList<>(rest.size() + 1);
      parts.add(first);
      rest.forEach(link -> parts.add(link.value()));
      return parts;
    }

    @Override
    public Object value(Object[] locals) {
      Object value = first.value(locals);
      for (Link link : rest) {
        Token sign = link.sign();
        if (sign.is("&&") && !Operators.truth(sign, value)) {
          return false;
        }
        if (sign.is("||") && Operators.truth(sign, value)) {
          return true;
        }
        value = Operators.binary(sign, value, link.value().value(locals));
      }
      return value;
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

  /**
   * A column of a row or of rows; of that a column again, if there are several.
   *
   * @param names at least one
   */
  record Column(Expression of, List<Token> names) implements Expression {
    @Override
    public Token at() {
      return names.get(names.size() - 1);
    }

    @Override
    public List<Expression> parts() {
      return List.of(of);
    }

    @Override
    public Object value(Object[] locals) {
      Object value = of.value(locals);
      for (Token name : names) {
        value = Operators.column(name, value);
      }
      return value;
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
      return Nesting.checked(at, Operators.set(values(members, locals)));
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
      return Nesting.checked(at, new Row(key.value(locals), values));
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
      return Nesting.checked(at, changed);
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
