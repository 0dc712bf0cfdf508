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
 */
record TailedTable(ObservedTable table, List<TailedColumn> columns) {
  /** Copies the list. */
  TailedTable {
    columns = List.copyOf(columns);
  }

  /** Its name in records. */
  String name() {
    return table.identityName();
  }

  /** Whether the log shows rows of as many columns, so that these may be them. */
  boolean fits(TableMapEventData map) {
    return map.getColumnTypes().length == columns.size();
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
    LoggedTable logged = new LoggedTable(name(), RowContent.COLUMNS);
    if (old == null || now == null || old.key() == now.key()) {
      long key = old == null ? Objects.requireNonNull(now).key() : old.key();
      return List.of(new RowChange(logged, key, contentBefore, contentAfter));
    }
    return List.of(
        new RowChange(logged, old.key(), contentBefore, null),
        new RowChange(logged, now.key(), null, contentAfter));
  }

  /** A row of the log. */
  private record Found(long key, long content) {
    long[] contents() {
      return new long[] {content};
    }
  }

  private @Nullable Found found(Serializable[] row, int[] meta, RowIdentities identities) {
    RowIdentities.Key key = key(row, meta, identities);
    return key == null ? null : new Found(key.id(), content(key, row, meta, identities));
  }

  private RowIdentities.@Nullable Key key(
      Serializable[] row, int[] meta, RowIdentities identities) {
    List<Object> values = new ArrayList<>(table.key().size());
    for (ObservedTable.Column column : table.key()) {
      int at = indexOf(column.name());
      Object value = at < 0 ? null : columns.get(at).keyValue(row[at], meta[at]);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return identities.key(table, values);
  }

  private int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  /** The hash of what is in a row; {@link RowChange#NOT_KNOWN} if that is not certain. */
  private long content(
      RowIdentities.Key key, Serializable[] row, int[] meta, RowIdentities identities) {
    List<@Nullable String> shown = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).kind() != null) {
        Object value = columns.get(i).shown(row[i], meta[i]);
        if (value == TailedColumn.NOT_CERTAIN) {
          return RowChange.NOT_KNOWN;
        }
        shown.add((String) value);
      }
    }
    return identities.version(key.id(), RowContent.hash(shown));
  }
}
