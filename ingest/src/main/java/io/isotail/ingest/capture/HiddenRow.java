package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys and versions from the columns that were added at the end of the rows of one result.
 */
final class HiddenRow {
  private final Capture capture;
  private final Rows rows;
  private final int count;
  private int first;

  /**
   * A reader of hidden columns.
   *
   * @param count their number
   */
  HiddenRow(Capture capture, int count) {
    this.capture = capture;
    this.rows = new Rows(capture);
    this.count = count;
  }

  /**
   * A row of a table.
   *
   * @param key its key
   * @param version who wrote it
   */
  record Found(RowKey key, RowVersion version) {}

  /**
   * The row of a table that a result's row is made of, null where an outer join has none.
   *
   * @param at how many hidden columns stand before those of the table
   */
  @Nullable Found at(Row row, int at, ObservedTable table) throws Exception {
    RowKey key = keyAt(row, at, table);
    Object writer = row.value(first + at + table.key().size(), ColumnType.INTEGER);
    return key.known() && writer instanceof Long id ? new Found(key, rows.writer(id)) : null;
  }

  /** The key of the row of a table that a result's row is made of. */
  RowKey keyAt(Row row, int at, ObservedTable table) throws Exception {
    if (first == 0) {
      first = row.columns() - count + 1;
    }
    int column = first + at;
    List<Object> key = new ArrayList<>(table.key().size());
    for (ObservedTable.Column of : table.key()) {
      ColumnType type = capture.identities().type(table, of);
      key.add(row.value(column++, type == null ? ColumnType.UNSUPPORTED : type));
    }
    return rows.key(table, key);
  }

  Rows rows() {
    return rows;
  }
}
