package io.isotail.incremental.record;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of one row, as the log of its database shows it.
 *
 * <p>A content is a keyed hash for each column of the table, {@link #NOT_KNOWN} for one that the
 * log does not tell. What a statement has read of a row is the sum of the hashes of the columns
 * that it has read; see {@link Statement#columns}.
 */
public final class RowChange {
  /** In place of the hash of a column that the log does not tell. */
  public static final long NOT_KNOWN = 0;

  private final LoggedTable table;
  private final long key;
  private final long @Nullable [] before;
  private final long @Nullable [] after;

  /**
   * A change; nobody changes the contents from here on.
   *
   * @param table the table
   * @param key of the row, as of an operation
   * @param before content before the change; null if there was no row
   * @param after content after it; null if there is no row any more
   */
  public RowChange(LoggedTable table, long key, long @Nullable [] before, long @Nullable [] after) {
    this.table = requireColumns(requireColumns(table, before), after);
    this.key = key;
    this.before = before;
    this.after = after;
  }

  private static LoggedTable requireColumns(LoggedTable table, long @Nullable [] content) {
    if (content != null && content.length != table.columns().size()) {
      throw new IllegalArgumentException(
          "content of %d columns of table %s; expected %d"
              .formatted(content.length, table.name(), table.columns().size()));
    }
    return table;
  }

  /** The table. */
  public LoggedTable table() {
    return table;
  }

  /** Key of the row. */
  public long key() {
    return key;
  }

  /** Content before the change, null if there was no row. To be looked at only. */
  public long @Nullable [] before() {
    return before;
  }

  /** Content after the change, null if there is no row any more. To be looked at only. */
  public long @Nullable [] after() {
    return after;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RowChange o
        && table.equals(o.table)
        && key == o.key
        && Arrays.equals(before, o.before)
        && Arrays.equals(after, o.after);
  }

  @Override
  public int hashCode() {
    return Objects.hash(table, key, Arrays.hashCode(before), Arrays.hashCode(after));
  }

  @Override
  public String toString() {
    return "%s %d: %s to %s"
        .formatted(table.name(), key, Arrays.toString(before), Arrays.toString(after));
  }
}
