package io.isotail.monitor.tail;

import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RowChange;
import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table whose changes are told, as it stands in the log. Immutable. Rows show who wrote them, so
 * that nothing is told of their contents.
 *
 * @param table with its key
 * @param relation as the log describes it
 * @param keyAt where the columns of its key stand
 * @param logged the table in records
 */
record WalTable(
    ObservedTable table, PgOutput.Relation relation, List<Integer> keyAt, LoggedTable logged) {
  /** What is told of a row that there is. */
  private static final long[] A_ROW = {};

  /** Which row it is. */
  private record Row(RowIdentities.@Nullable Key key, boolean certain) {
    /** One of which a column of the key is NULL: nobody names it. */
    static final Row WITHOUT_KEY = new Row(null, true);

    static final Row NOT_CERTAIN = new Row(null, false);
  }

  /**
   * A table.
   *
   * @return null if a column of its key is not among its columns
   */
  static @Nullable WalTable of(ObservedTable table, PgOutput.Relation relation) {
    List<Integer> keyAt =
        table.key().stream().map(column -> relation.columns().indexOf(column.name())).toList();
    return keyAt.contains(-1)
        ? null
        : new WalTable(table, relation, keyAt, new LoggedTable(table.identityName(), List.of()));
  }

  /** Whether rows have the same keys as those of another description of it. */
  boolean hasKeysOf(WalTable other) {
    return relation.id() == other.relation.id()
        && table.equals(other.table)
        && keyTypes().equals(other.keyTypes());
  }

  private List<Integer> keyTypes() {
    return keyAt.stream().map(relation.types()::get).toList();
  }

  /** The change by an INSERT; null if it is not certain which row it is. */
  @Nullable List<RowChange> inserted(PgOutput.Values row, RowIdentities identities) {
    return changes(Row.WITHOUT_KEY, row(row, row, identities));
  }

  /** The change by an UPDATE, two where its key has changed; null as above. */
  @Nullable List<RowChange> updated(
      PgOutput.@Nullable Values before, PgOutput.Values after, RowIdentities identities) {
    Row now = row(after, before == null ? after : before, identities);
    return changes(before == null ? now : row(before, before, identities), now);
  }

  /** The change by a DELETE; null as above. */
  @Nullable List<RowChange> deleted(PgOutput.Values before, RowIdentities identities) {
    return changes(row(before, before, identities), Row.WITHOUT_KEY);
  }

  private @Nullable List<RowChange> changes(Row before, Row after) {
    if (!before.certain() || !after.certain()) {
      return null;
    }
    RowIdentities.Key old = before.key();
    RowIdentities.Key now = after.key();
    if (old != null && now != null && old.id() == now.id()) {
      return List.of(new RowChange(logged, now.id(), A_ROW, A_ROW));
    }
    List<RowChange> changes = new ArrayList<>(2);
    if (old != null) {
      changes.add(new RowChange(logged, old.id(), A_ROW, null));
    }
    if (now != null) {
      changes.add(new RowChange(logged, now.id(), null, A_ROW));
    }
    return changes;
  }

  /**
   * Which row it is.
   *
   * @param before has the values that did not change
   */
  private Row row(PgOutput.Values values, PgOutput.Values before, RowIdentities identities) {
    List<Object> key = new ArrayList<>(keyAt.size());
    for (int i = 0; i < keyAt.size(); i++) {
      int at = keyAt.get(i);
      PgOutput.Values from = values.isUnchanged(at) ? before : values;
      if (at >= from.size() || from.isUnchanged(at)) {
        return Row.NOT_CERTAIN;
      }
      String text = from.get(at);
      if (text == null) {
        return table.keyMayBeNull() ? Row.WITHOUT_KEY : Row.NOT_CERTAIN;
      }
      key.add(value(Objects.requireNonNull(table.key().get(i).type()), text));
    }
    RowIdentities.Key found = identities.key(table, key);
    return found == null ? Row.NOT_CERTAIN : new Row(found, true);
  }

  /** A value as a driver reads it. */
  private static Object value(ColumnType type, String text) {
    return type == ColumnType.BOOLEAN ? (Object) text.equals("t") : type.ofText(text);
  }
}
