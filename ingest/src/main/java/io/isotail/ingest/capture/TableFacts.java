package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.RowContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the database's catalog says of a table whose rows can tell who wrote them.
 *
 * @param schema its schema
 * @param name its name
 * @param onPath whether its name alone finds it
 * @param key its key columns with their types; empty if it has no key that identifies rows at once
 * @param hasUnsupportedKey whether it has a key of which a column's values have no identity
 * @param returnsInserts whether an INSERT can return hidden columns
 * @param functions names of the functions that a write of it may call and that may write
 *     themselves: of triggers, and of what else is defined of its columns
 * @param cascades whether a DELETE may change rows of other tables
 * @param large whether it is known to have more than a million rows, or has partitions: nobody
 *     counts those
 * @param small whether the server has counted its rows, and there were 10,000 at most
 * @param keyMayBeNull whether columns of the key may be NULL: rows where one is have no key
 * @param content what makes the content of a row, where nothing else tells its version; else null
 */
record TableFacts(
    String schema,
    String name,
    boolean onPath,
    List<ObservedTable.Column> key,
    boolean hasUnsupportedKey,
    boolean returnsInserts,
    List<String> functions,
    boolean cascades,
    boolean large,
    boolean small,
    boolean keyMayBeNull,
    @Nullable RowContent content) {

  private static final int CONTENT = 10;

  /** Stands between the names of columns in an answer of the catalog. */
  static final char SEPARATOR = '\u001f';

  /** Copies the list. */
  TableFacts {
    key = List.copyOf(key);
    functions = List.copyOf(functions);
  }

  /**
   * Reads a row of {@link Dialect#tablesQuery}: schema, name, {@code yes} if the name alone finds
   * it, names and types of the key columns, {@code yes} if an INSERT can return hidden columns,
   * names of the functions that a write may call, {@code yes} if a DELETE may change other tables,
   * {@code large} if it is known to have more than a million rows, or has partitions, {@code small}
   * if it is known to have 10,000 at most, {@code yes} if columns of the key may be NULL, and what
   * makes the content of a row.
   */
  static TableFacts of(List<@Nullable String> row) {
    List<ObservedTable.Column> key = new ArrayList<>();
    String[] names = split(row.get(3));
    String[] types = split(row.get(4));
    for (int i = 0; i < names.length && names.length == types.length; i++) {
      key.add(new ObservedTable.Column(names[i], ColumnType.named(types[i])));
    }
    boolean told = key.stream().noneMatch(column -> column.type() == ColumnType.UNSUPPORTED);
    return new TableFacts(
        text(row.get(0)),
        text(row.get(1)),
        "yes".equals(row.get(2)),
        told ? key : List.of(),
        !told,
        "yes".equals(row.get(5)),
        List.of(split(row.get(6))),
        "yes".equals(row.get(7)),
        "large".equals(row.get(8)),
        "small".equals(row.get(8)),
        "yes".equals(row.get(9)),
        row.size() > CONTENT ? RowContent.parse(row.get(CONTENT)) : null);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static String[] split(@Nullable String names) {
    return names == null || names.isEmpty()
        ? new String[0]
        : names.split(String.valueOf(SEPARATOR), -1);
  }

  /** The table as it is observed when nothing is declared of it. */
  ObservedTable observed() {
    if (content != null) {
      return ObservedTable.withContents(schema, name, key, content);
    }
    return new ObservedTable(
        schema.equals("public") ? null : schema,
        name,
        key,
        keyMayBeNull,
        new ObservedTable.Column(ObservedTable.XMIN, null));
  }

  /** Whether these are facts of that table. */
  boolean areOf(ObservedTable table) {
    return table.schemaOrPublic().equals(schema) && table.name().equals(name);
  }
}
