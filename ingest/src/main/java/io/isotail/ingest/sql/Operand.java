package io.isotail.ingest.sql;

import java.math.BigDecimal;
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
