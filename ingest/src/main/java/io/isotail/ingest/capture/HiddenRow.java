package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
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
   * @param key its key; {@link RowKey#UNKNOWN} if it has none, since a column of it is NULL
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
    if (table.content() != null) {
      Object content = row.value(first + at + table.key().size(), ColumnType.TEXT);
      RowVersion version = key.known() ? rows.version(table, key, content) : null;
      return version == null ? null : new Found(key, version);
    }
    Object writer = row.value(first + at + table.key().size(), ColumnType.INTEGER);
    return writer instanceof Long id && (key.known() || isWithoutKey(row, at, table))
        ? new Found(key, rows.writer(id))
        : null;
  }

  /** Whether a row of a table has no key, since a column of it is NULL. */
  boolean isWithoutKey(Row row, int at, ObservedTable table) throws Exception {
    return table.keyMayBeNull() && keyValues(row, at, table).contains(Operand.NULL);
  }

  /** Who wrote the row of a table that was there before; null if there was none. */
  @Nullable Long replacedAt(Row row, int at, ObservedTable table) throws Exception {
    findFirst(row);
    Object writer = row.value(first + at + table.key().size() + 1, ColumnType.INTEGER);
    return writer instanceof Long id ? id : null;
  }

  /** The row of a table of which all columns are texts; null where an outer join has none. */
  @Nullable Found texts(Row row, int at, ObservedTable table) throws Exception {
    findFirst(row);
    String[] texts = new String[table.key().size() + 1];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = row.value(first + at + i, ColumnType.TEXT) instanceof String text ? text : null;
    }
    return found(table, texts);
  }

  /** The rows of a table that an array tells; null if it is NULL, since there is none. */
  @Nullable List<Found> all(Row row, int at, ObservedTable table) throws Exception {
    findFirst(row);
    @Nullable String[][] texts = row.texts(first + at);
    if (texts == null) {
      return null;
    }
    List<Found> all = new ArrayList<>(texts.length);
    for (@Nullable String[] one : texts) {
      Found found = one.length == table.key().size() + 1 ? found(table, one) : null;
      if (found != null) {
        all.add(found);
      }
    }
    return all;
  }

  /** The row of a key and a version as text. */
  private @Nullable Found found(ObservedTable table, @Nullable String[] texts) {
    List<Object> key = new ArrayList<>(table.key().size());
    for (int i = 0; i < table.key().size(); i++) {
      ColumnType type = capture.identities().keyType(table, i);
      key.add(type == null ? Operand.UNKNOWN : type.ofText(texts[i]));
    }
    String xmin = texts[texts.length - 1];
    RowKey known = rows.key(table, key);
    RowVersion version = rows.version(table, RowKey.UNKNOWN, xmin == null ? Operand.NULL : xmin);
    boolean withoutKey = table.keyMayBeNull() && key.contains(Operand.NULL);
    return version != null && (known.known() || withoutKey) ? new Found(known, version) : null;
  }

  /** The key of the row of a table that a result's row is made of. */
  RowKey keyAt(Row row, int at, ObservedTable table) throws Exception {
    return rows.key(table, keyValues(row, at, table));
  }

  private List<Object> keyValues(Row row, int at, ObservedTable table) throws Exception {
    findFirst(row);
    int columns = table.key().size();
    List<Object> key = new ArrayList<>(columns);
    for (int i = 0; i < columns; i++) {
      ColumnType type = capture.identities().keyType(table, i);
      key.add(row.value(first + at + i, type == null ? ColumnType.UNSUPPORTED : type));
    }
    return key;
  }

  private void findFirst(Row row) throws Exception {
    if (first == 0) {
      first = row.columns() - count + 1;
    }
  }

  Rows rows() {
    return rows;
  }
}
