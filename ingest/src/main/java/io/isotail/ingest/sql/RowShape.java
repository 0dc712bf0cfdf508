package io.isotail.ingest.sql;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The result columns of a select list or of RETURNING, over one observed table.
 *
 * @param items the items in order
 */
public record RowShape(List<Item> items) {

  /** Copies the list. */
  public RowShape {
    items = List.copyOf(items);
  }

  /** The shape of {@code *} alone. */
  public static RowShape allColumns() {
    return new RowShape(List.of(new Item(null, true)));
  }

  /**
   * One item.
   *
   * @param column the plain column of the table that it is, or null if it is anything else
   * @param star whether it stands for all columns
   */
  public record Item(@Nullable String column, boolean star) {}

  /**
   * Where the key and the version of a row are found.
   *
   * @param key index of each key column from 1, or null if one of them is missing
   * @param version index of the version column from 1, or 0
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Positions(int @Nullable [] key, int version) {}

  /**
   * Finds the columns in an actual result.
   *
   * @param columnCount number of columns of the result
   * @param label label of a result column by its index from 1; asked only for columns that a star
   *     stands for
   */
  public Positions locate(ObservedTable table, int columnCount, IntFunction<String> label) {
    long stars = items.stream().filter(Item::star).count();
    int starWidth = stars == 0 ? 0 : (int) ((columnCount - (items.size() - stars)) / stars);
    int[] key = new int[table.key().size()];
    int version = 0;
    int column = 1;
    for (Item item : items) {
      int width = item.star() ? starWidth : 1;
      for (int i = column; i < column + width && i <= columnCount; i++) {
        String name = item.star() ? label.apply(i) : item.column();
        if (name == null) {
          continue;
        }
        int keyIndex = table.keyIndex(name);
        if (keyIndex >= 0 && key[keyIndex] == 0) {
          key[keyIndex] = i;
        }
        if (version == 0 && table.version().name().equals(name)) {
          version = i;
        }
      }
      column += width;
    }
    boolean whole = column == columnCount + 1;
    for (int index : key) {
      if (index == 0 || !whole) {
        return new Positions(null, whole ? version : 0);
      }
    }
    return new Positions(key, version);
  }
}
