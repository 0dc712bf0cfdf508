package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Row;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Operand;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The row on which a result set stands. It changes the answer of {@code wasNull}. */
public final class JdbcRow implements Row {
  private final ResultSet result;
  private final StoredNames names;

  /** The row of this result set, whichever it is when a column is read; with labels as stored. */
  public JdbcRow(ResultSet result) {
    this(result, StoredNames.AS_DECLARED);
  }

  /** The row of this result set, with labels as they are declared. */
  JdbcRow(ResultSet result, StoredNames names) {
    this.result = result;
    this.names = names;
  }

  @Override
  public int columns() throws SQLException {
    return result.getMetaData().getColumnCount();
  }

  @Override
  public String label(int column) throws SQLException {
    return names.declared(storedLabel(column));
  }

  @Override
  public String storedLabel(int column) throws SQLException {
    return result.getMetaData().getColumnLabel(column);
  }

  @Override
  public Object value(int column, ColumnType type) throws SQLException {
    Object value =
        switch (type) {
          case INTEGER -> result.getLong(column);
          case NUMERIC -> result.getBigDecimal(column);
          case TEXT, PADDED_TEXT, UUID, READ_ONLY_TEXT -> result.getString(column);
          case BYTES -> result.getBytes(column);
          case BOOLEAN -> result.getBoolean(column);
          case UNSUPPORTED -> Operand.UNKNOWN;
        };
    return value == null || (type != ColumnType.UNSUPPORTED && result.wasNull())
        ? Operand.NULL
        : value;
  }

  @Override
  public @Nullable String @Nullable [][] texts(int column) throws SQLException {
    Array array = result.getArray(column);
    if (array == null) {
      return null;
    }
    Object[] rows = (Object[]) array.getArray();
    @Nullable String[][] texts = new String[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      texts[i] = (@Nullable String[]) rows[i];
    }
    return texts;
  }
}
