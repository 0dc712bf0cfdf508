package io.isotail.monitor.explore.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression, compiled to the language of programs. */
final class Term {
  static final int OR = 1;
  static final int AND = 2;
  static final int COMPARISON = 3;
  static final int SUM = 4;
  static final int PRODUCT = 5;
  static final int ATOM = 6;

  /**
   * What {@code column = value} says of a row.
   *
   * @param value in the language of programs; it depends on no column
   */
  record Pin(String column, String value) {}

  /** Where it begins. */
  final SqlToken at;

  /** What it is; it fails where it needs a value that is NULL. */
  final String text;

  final Type type;

  /** Whether it depends on a column. */
  final boolean readsRow;

  private final int strength;
  private @Nullable String plain;
  private boolean local;
  private @Nullable String column;
  private @Nullable Pin pin;
  private List<Term> conjuncts = List.of();

  /**
   * One that is never NULL.
   *
   * @param strength of its sign: {@link #OR} to {@link #ATOM}
   */
  Term(SqlToken at, String text, Type type, int strength, boolean readsRow) {
    this.at = at;
    this.text = text;
    this.type = type;
    this.strength = strength;
    this.readsRow = readsRow;
  }

  /** A column of the row that a condition is asked of. */
  static Term ofColumn(SqlToken at, String column, Type type) {
    Term term = new Term(at, "row." + Table.target(column), type, ATOM, true);
    term.column = column;
    return term;
  }

  /** A local. */
  static Term ofLocal(SqlToken at, Locals.Local local) {
    String text = local.mayBeNull() ? "known(" + local.target() + ")" : local.target();
    Term term = new Term(at, text, local.type(), ATOM, false);
    term.local = true;
    term.plain = local.mayBeNull() ? local.target() : null;
    return term;
  }

  /**
   * Operands in a row with signs of one strength between them, from left to right. However many
   * there are, the time is linear in their text.
   */
  static final class Chain {
    private final Term first;
    private final int strength;
    private final Type result;
    private final StringBuilder text = new StringBuilder();
    private final List<Term> conjuncts = new ArrayList<>();
    private boolean readsRow;

    /**
     * The first one.
     *
     * @param strength of the signs
     * @param result the type of two of them together
     */
    Chain(Term first, int strength, Type result) {
      this.first = first;
      this.strength = strength;
      this.result = result;
      this.readsRow = first.readsRow;
    }

    /** Adds one of a type; those before it must be of that type too. */
    Chain add(String sign, Term right, Type operands) {
      if (text.isEmpty()) {
        first.expect(operands);
      }
      return add(sign, right.expect(operands));
    }

    /** Adds one, whose type and whose neighbour's are known to fit. */
    Chain add(String sign, Term right) {
      if (text.isEmpty()) {
        text.append(first.in(strength == COMPARISON ? strength + 1 : strength));
        conjuncts.addAll(first.all());
      }
      text.append(' ').append(sign).append(' ').append(right.in(strength + 1));
      conjuncts.addAll(right.all());
      readsRow |= right.readsRow;
      return this;
    }

    /** The type of all that were added. */
    Type type() {
      return text.isEmpty() ? first.type : result;
    }

    /** All together; the first one itself if it is alone. */
    Term term() {
      if (text.isEmpty()) {
        return first;
      }
      Term term = new Term(first.at, text.toString(), result, strength, readsRow);
      if (strength == AND) {
        term.conjuncts = List.copyOf(conjuncts);
      }
      return term;
    }
  }

  /** Two values of one type, compared. */
  static Term compared(Term left, String sign, Term right) {
    return new Chain(left, COMPARISON, Type.BOOLEAN).add(sign, right, left.type).term();
  }

  /** Both hold. */
  static Term both(Term left, Term right) {
    return new Chain(left, AND, Type.BOOLEAN).add("and", right, Type.BOOLEAN).term();
  }

  /** Both are equal. */
  static Term equal(Term left, Term right) {
    Term term = compared(left, "==", right);
    if (left.column != null && !right.readsRow) {
      term.pin = new Pin(left.column, right.in(SUM));
    } else if (right.column != null && !left.readsRow) {
      term.pin = new Pin(right.column, left.in(SUM));
    }
    return term;
  }

  /** It does not hold. */
  static Term not(SqlToken at, Term of) {
    return new Term(at, "not (" + of.expect(Type.BOOLEAN).text + ")", of.type, ATOM, of.readsRow);
  }

  /** As an operand that must be at least as strong. */
  String in(int least) {
    return strength >= least ? text : "(" + text + ")";
  }

  /** With absent for NULL. */
  String plain() {
    return plain == null ? text : plain;
  }

  /** Whether it is a local and nothing else. */
  boolean isLocal() {
    return local;
  }

  /** Whether it may be NULL. */
  boolean mayBeNull() {
    return plain != null;
  }

  /** The value of a column that it demands, if it demands nothing else. */
  @Nullable Pin pin() {
    return pin;
  }

  /** The conditions that must all hold for it to hold. */
  List<Term> all() {
    return conjuncts.isEmpty() ? List.of(this) : conjuncts;
  }

  /** Itself, if it is of that type. */
  Term expect(Type expected) {
    if (type != expected) {
      throw at.error("found " + type + "; expected " + expected);
    }
    return this;
  }
}
