package io.isotail.ingest.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.IntFunction;

/** A value in a statement: from a parameter, from a literal, or not known before it runs. */
public sealed interface Operand {

  /** Stands for a value that cannot be known from the statement and its parameters. */
  Object UNKNOWN =
      new Object() {
        @Override
        public String toString() {
          return "unknown";
        }
      };

  /** Stands for SQL NULL. */
  Object NULL =
      new Object() {
        @Override
        public String toString() {
          return "NULL";
        }
      };

  /**
   * The value of one {@code ?} of the normalized text.
   *
   * @param slot its number in {@link AnalyzedSql#slots()}, from 0
   * @param negated whether a minus sign stands before it
   */
  record OfSlot(int slot, boolean negated) implements Operand {}

  /**
   * A value that the statement fixes.
   *
   * @param value a boolean, {@link #NULL} or {@link #UNKNOWN}
   */
  record Fixed(Object value) implements Operand {}

  /** Another one under a cast: its value as long as the column's type makes the same of both. */
  record Cast(Operand of) implements Operand {}

  /**
   * The sum of two integers: what {@code SET v = v + 1} assigns to a row whose version the
   * condition names.
   */
  record Sum(Operand left, Operand right) implements Operand {}

  /** An expression whose value only the database knows. */
  record Unknowable() implements Operand {}

  /**
   * The value of this operand.
   *
   * @param slots the slots of the statement
   * @param parameters gives the value bound to a parameter by its number from 1: a Java object,
   *     {@link #NULL}, or {@link #UNKNOWN}
   */
  default Object value(List<Slot> slots, IntFunction<Object> parameters) {
    if (this instanceof Fixed fixed) {
      return fixed.value();
    }
    if (this instanceof Cast cast) {
      return cast.of().value(slots, parameters);
    }
    if (this instanceof Sum sum) {
      return add(sum.left().value(slots, parameters), sum.right().value(slots, parameters));
    }
    if (!(this instanceof OfSlot ofSlot)) {
      return UNKNOWN;
    }
    Slot slot = slots.get(ofSlot.slot());
    Object value =
        slot instanceof Slot.Parameter p
            ? parameters.apply(p.index())
            : ((Slot.Literal) slot).value();
    return ofSlot.negated() ? negate(value) : value;
  }

  /** The sum of two integers; of anything else the database may make something else. */
  private static Object add(Object left, Object right) {
    return isInteger(left) && isInteger(right)
        ? new BigInteger(left.toString()).add(new BigInteger(right.toString()))
        : UNKNOWN;
  }

  private static boolean isInteger(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof BigInteger
        || (value instanceof BigDecimal d && d.scale() == 0);
  }

  private static Object negate(Object value) {
    if (value instanceof Long n) {
      return BigDecimal.valueOf(n).negate();
    }
    if (value instanceof Integer n) {
      return -(long) n;
    }
    return value instanceof BigDecimal n ? n.negate() : UNKNOWN;
  }
}
