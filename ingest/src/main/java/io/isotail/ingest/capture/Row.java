package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import org.jspecify.annotations.Nullable;

/** The row of a result on which the application stands. Columns count from 1. */
public interface Row {

  /** Number of columns. */
  int columns() throws Exception;

  /** What the result calls a column. */
  String label(int column) throws Exception;

  /** Label of a column as the database stores it: that of a name in quotes. */
  default String storedLabel(int column) throws Exception {
    return label(column);
  }

  /**
   * The value of a column, read as this type; {@code Operand.NULL} for NULL and {@code
   * Operand.UNKNOWN} for what has no exact value.
   */
  Object value(int column, ColumnType type) throws Exception;

  /** The value of a column that is an array of arrays of text; null for NULL. */
  @Nullable String @Nullable [][] texts(int column) throws Exception;
}
