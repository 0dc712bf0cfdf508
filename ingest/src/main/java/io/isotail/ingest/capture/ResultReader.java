package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.RowShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds key and version among the columns that the application asked for. */
abstract class ResultReader implements RowReader {
  final Capture capture;
  final Rows rows;
  final StatementRun run;
  final ObservedTable table;
  private final RowShape shape;
  private RowShape.@Nullable Positions positions;

  ResultReader(Capture capture, StatementRun run, ObservedTable table, RowShape shape) {
    this.capture = capture;
    this.rows = new Rows(capture);
    this.run = run;
    this.table = table;
    this.shape = shape;
  }

  /** The key in the row, {@link RowKey#UNKNOWN} when it is not among the columns or not told. */
  final RowKey keyOf(Row row) throws Exception {
    int[] columns = positions(row).key();
    if (columns == null) {
      return RowKey.UNKNOWN;
    }
    List<Object> values = new ArrayList<>(columns.length);
    for (int i = 0; i < columns.length; i++) {
      values.add(value(row, columns[i], table.key().get(i)));
    }
    return rows.key(table, values);
  }

  final boolean hasVersion(Row row) throws Exception {
    return positions(row).version() > 0;
  }

  /** The version in the row, null when it is not among the columns or not told. */
  final @Nullable RowVersion versionOf(Row row, RowKey key) throws Exception {
    int column = positions(row).version();
    return column == 0 ? null : rows.version(table, key, value(row, column, table.version()));
  }

  private Object value(Row row, int index, ObservedTable.Column column) throws Exception {
    ColumnType type = capture.identities().type(table, column);
    return type == null ? Operand.UNKNOWN : row.value(index, type);
  }

  /** Tells a column's label. */
  private interface Labels {
    String of(int column) throws Exception;
  }

  private RowShape.Positions located(int columns, Labels of) throws Exception {
    List<String> labels = new ArrayList<>();
    for (int i = 1; i <= columns; i++) {
      labels.add(of.of(i));
    }
    return shape.locate(table, columns, i -> labels.get(i - 1));
  }

  private RowShape.Positions positions(Row row) throws Exception {
    RowShape.Positions found = positions;
    if (found == null) {
      int columns = row.columns();
      found = located(columns, row::label);
      if (found.version() == 0) {
        found = located(columns, row::storedLabel); // Declared in quotes, or not there.
      }
      positions = found;
    }
    return found;
  }
}
