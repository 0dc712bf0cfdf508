package io.isotail.ingest.sql;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A constant in GROUP BY, ORDER BY or DISTINCT ON that stands for a column of the result. Where the
 * application has no such column it is an error, which a hidden column must not take away.
 *
 * @param value the slot of the constant; a parameter in it is an expression, and no position
 * @param columns the columns that the application has
 */
public record ColumnPosition(Operand.OfSlot value, ColumnCount columns) {

  /**
   * Whether it certainly is a column of the application, or no position.
   *
   * @param slots the slots of the statement
   * @param widths how many columns a table has at least
   */
  boolean stands(List<Slot> slots, ToIntFunction<ObservedTable> widths) {
    if (slots.get(value.slot()) instanceof Slot.Parameter) {
      return true;
    }
    Object position = value.value(slots, parameter -> Operand.UNKNOWN);
    long most = columns.atLeast(widths);
    if (position instanceof Long number) {
      return number > 0 && number <= most;
    }
    // The server takes no other constant there, but for integers written in many digits.
    return position instanceof BigDecimal number
        && number.signum() > 0
        && number.compareTo(BigDecimal.valueOf(most)) <= 0;
  }
}
