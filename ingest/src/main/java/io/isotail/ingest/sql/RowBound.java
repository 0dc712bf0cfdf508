package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How many rows a query has at most: a product, of which some factors are values of the statement.
 *
 * @param rows the factor that the text tells
 * @param factors values of the statement, such as that of LIMIT
 */
public record RowBound(long rows, List<Operand> factors) {
  private static final long MOST = Long.MAX_VALUE / 2;

  /** One row. */
  static final RowBound ONE = new RowBound(1, List.of());

  /** Copies the list. */
  public RowBound {
    factors = List.copyOf(factors);
  }

  /** As many as a value of the statement says. */
  static RowBound of(Operand value) {
    return new RowBound(1, List.of(value));
  }

  /** So many. */
  static RowBound of(long rows) {
    return new RowBound(rows, List.of());
  }

  /** The rows of two combined; null if one has no bound. */
  static @Nullable RowBound product(@Nullable RowBound one, @Nullable RowBound two) {
    if (one == null || two == null) {
      return null;
    }
    List<Operand> factors = new ArrayList<>(one.factors);
    factors.addAll(two.factors);
    return new RowBound(multiplied(one.rows, two.rows), factors);
  }

  private static long multiplied(long one, long two) {
    return one == 0 || two == 0 ? 0 : one > MOST / two ? MOST : one * two;
  }

  /**
   * Whether there are certainly no more rows than this.
   *
   * @param slots the slots of the statement
   * @param parameters as for {@link Operand#value}
   */
  public boolean within(long most, List<Slot> slots, IntFunction<Object> parameters) {
    long product = rows;
    for (Operand factor : factors) {
      Object value = factor.value(slots, parameters);
      boolean counts =
          (value instanceof Long || value instanceof Integer || value instanceof Short)
              && ((Number) value).longValue() >= 0;
      if (!counts) {
        return false;
      }
      product = multiplied(product, ((Number) value).longValue());
    }
    return product <= most;
  }
}
