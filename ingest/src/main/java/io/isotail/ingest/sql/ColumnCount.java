package io.isotail.ingest.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * How many columns a query or a table has at least: a sum.
 *
 * @param told those that the text tells
 * @param tables tables all columns of which it has
 */
public record ColumnCount(int told, List<ObservedTable> tables) {
  /** Of what nothing is known: it has a column. */
  static final ColumnCount ONE = new ColumnCount(1, List.of());

  /** Copies the list. */
  public ColumnCount {
    tables = List.copyOf(tables);
  }

  static ColumnCount of(int told) {
    return new ColumnCount(told, List.of());
  }

  static ColumnCount of(ObservedTable table) {
    return new ColumnCount(0, List.of(table));
  }

  ColumnCount plus(ColumnCount other) {
    List<ObservedTable> all = new ArrayList<>(tables);
    all.addAll(other.tables);
    return new ColumnCount(told + other.told, all);
  }

  /**
   * The number.
   *
   * @param widths how many columns a table has at least
   */
  long atLeast(ToIntFunction<ObservedTable> widths) {
    long sum = told;
    for (ObservedTable table : tables) {
      sum += widths.applyAsInt(table);
    }
    return sum;
  }
}
