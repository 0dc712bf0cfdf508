package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.RowContent;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table whose changes are told. Immutable.
 *
 * @param table with its key and what makes its rows' content
 * @param columns all of its columns, in the order of the log
 * @param logged the table in records
 * @param keyAt where the columns of its key stand
 * @param alone the columns whose values are told alone, too, and where they stand
 */
record TailedTable(
    ObservedTable table,
    List<TailedColumn> columns,
    LoggedTable logged,
    List<Integer> keyAt,
    List<ToldAlone> alone) {

  /** A column whose values are told alone. */
  record ToldAlone(RowContent.Column column, int at) {}

  /**
   * A table.
   *
   * @return null if a column of its key is not among its columns
   */
  static @Nullable TailedTable of(ObservedTable table, List<TailedColumn> columns) {
    List<String> names = columns.stream().map(TailedColumn::name).toList();
    List<Integer> keyAt = table.key().stream().map(column -> names.indexOf(column.name())).toList();
    return keyAt.contains(-1)
        ? null
        : new TailedTable(
            table,
            List.copyOf(columns),
            new LoggedTable(table.identityName(), loggedColumns(table)),
            keyAt,
            table.comparableColumns().stream()
                .map(column -> new ToldAlone(column, names.indexOf(column.name())))
                .toList());
  }

  /** The content as a whole, and what statements tell of rows that they set. */
  private static List<String> loggedColumns(ObservedTable table) {
    List<String> all = new ArrayList<>(table.contentColumns());
    table.comparableColumns().forEach(column -> all.add(column.label()));
    return all;
  }

  /** All that makes it this table, in words. */
  String words() {
    return "%s %s %s %s".formatted(logged, table.key(), keyAt, columns);
  }

  /** Its name in records. */
  String name() {
    return table.identityName();
  }

  /** Whether the log shows rows of as many columns and of their types, so that they are these. */
  boolean fits(TableMapEventData map) {
    boolean fits = map.getColumnTypes().length == columns.size();
    for (int i = 0; fits && i < columns.size(); i++) {
      fits = columns.get(i).fits(map.getColumnTypes()[i], map.getColumnMetadata()[i]);
    }
    return fits;
  }

  /**
   * The change of a row; two where its key has changed.
   *
   * @param before null if there was no row
   * @param after null if there is none any more
   * @return null if it is not certain which row it is
   */
  @Nullable List<RowChange> changes(
      Serializable @Nullable [] before,
      Serializable @Nullable [] after,
      int[] meta,
      RowIdentities identities) {
    Found old = before == null ? null : found(before, meta, identities);
    Found now = after == null ? null : found(after, meta, identities);
    if ((before != null && old == null) || (after != null && now == null)) {
      return null;
    }
    long[] contentBefore = old == null ? null : old.contents();
    long[] contentAfter = now == null ? null : now.contents();
    if (old == null || now == null || old.key() == now.key()) {
      long key = old == null ? Objects.requireNonNull(now).key() : old.key();
      return List.of(new RowChange(logged, key, contentBefore, contentAfter));
    }
    return List.of(
        new RowChange(logged, old.key(), contentBefore, null),
        new RowChange(logged, now.key(), null, contentAfter));
  }

  /**
   * A row of the log.
   *
   * @param contents as of a {@link RowChange}
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares it.
  private record Found(long key, long[] contents) {}

  private @Nullable Found found(Serializable[] row, int[] meta, RowIdentities identities) {
    RowIdentities.Key key = key(row, meta, identities);
    if (key == null) {
      return null;
    }
    @Nullable Object[] shown = new @Nullable Object[columns.size()];
    for (int i = 0; i < shown.length; i++) {
      shown[i] = columns.get(i).shown(row[i], meta[i]);
    }
    long[] contents = new long[logged.columns().size()];
    contents[0] = content(key, shown, identities);
    for (int i = 0; i < alone.size(); i++) {
      Object value = shown[alone.get(i).at()];
      String told = value == TailedColumn.NOT_CERTAIN ? null : alone.get(i).column().told(value);
      contents[i + 1] = told == null ? RowChange.NOT_KNOWN : identities.version(key.id(), told);
    }
    return new Found(key.id(), contents);
  }

  private RowIdentities.@Nullable Key key(
      Serializable[] row, int[] meta, RowIdentities identities) {
    List<Object> values = new ArrayList<>(table.key().size());
    for (int at : keyAt) {
      Object value = columns.get(at).keyValue(row[at], meta[at]);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return identities.key(table, values);
  }

  /** The hash of what is in a row; {@link RowChange#NOT_KNOWN} if that is not certain. */
  private long content(RowIdentities.Key key, @Nullable Object[] shown, RowIdentities identities) {
    List<@Nullable String> texts = new ArrayList<>(shown.length);
    for (int i = 0; i < shown.length; i++) {
      if (columns.get(i).kind() != null) {
        if (shown[i] == TailedColumn.NOT_CERTAIN) {
          return RowChange.NOT_KNOWN;
        }
        texts.add((String) shown[i]);
      }
    }
    return identities.version(key.id(), RowContent.hash(texts));
  }
}
