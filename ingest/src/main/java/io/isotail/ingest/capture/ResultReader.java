package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import io.isotail.ingest.sql.RowShape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Observes the rows of one result as the application moves through it; never moves it itself.
 * Guarded by its session's lock.
 */
abstract class ResultReader {
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

  /** The reader for the rows that a statement answers with, null if they tell nothing. */
  static @Nullable ResultReader of(Capture capture, StatementRun run) {
    Analysis analysis = run.analysis();
    if (analysis instanceof Analysis.Select select) {
      return new ReadRows(capture, run, select);
    }
    RowShape returning = null;
    if (analysis instanceof Analysis.Update update) {
      returning = update.returning();
    } else if (analysis instanceof Analysis.Insert insert) {
      returning = insert.returning();
    } else if (analysis instanceof Analysis.Delete delete) {
      returning = delete.returning();
    }
    return returning == null ? null : new WrittenRows(capture, run, returning, -1);
  }

  /** The reader for generated keys; null if they tell nothing. */
  static @Nullable ResultReader ofGeneratedKeys(Capture capture, StatementRun run, long count) {
    boolean write =
        run.analysis() instanceof Analysis.Insert || run.analysis() instanceof Analysis.Update;
    return write && count > 0 ? new WrittenRows(capture, run, RowShape.allColumns(), count) : null;
  }

  /** The application stands on a row that it has just moved to. */
  abstract void row(Row row) throws Exception;

  /**
   * The application has moved forward past the last row.
   *
   * @param everyRowSeen whether it has moved through all rows one by one from the start
   */
  abstract void exhausted(boolean everyRowSeen);

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

  private RowShape.Positions positions(Row row) throws Exception {
    RowShape.Positions found = positions;
    if (found == null) {
      int columns = row.columns();
      List<String> labels = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        labels.add(row.label(i));
      }
      found = shape.locate(table, columns, i -> labels.get(i - 1));
      positions = found;
    }
    return found;
  }
}
