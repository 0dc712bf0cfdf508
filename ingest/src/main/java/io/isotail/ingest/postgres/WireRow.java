package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Row;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Operand;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The row of a DataRow message. It is read while the message is shown. For one thread. */
final class WireRow implements Row {
  private final WireValues values;
  private byte[] bytes = {};
  private int[] places = new int[8];
  private int count;
  private Formats formats = Formats.TEXT;
  private @Nullable Columns columns;
  private int firstHidden;
  private boolean[] unsigned = {};

  WireRow(WireValues values) {
    this.values = values;
  }

  /**
   * Shows a row.
   *
   * @param of in which formats its columns are
   * @param described how the server has described them; null if it has not
   * @param hidden for each column that was added at its end whether it is a number without sign
   */
  void show(Message row, Formats of, @Nullable Columns described, boolean[] hidden) {
    bytes = row.array();
    formats = of;
    columns = described;
    unsigned = hidden;
    count = row.int16(Message.BODY);
    if (places.length < count) {
      places = Arrays.copyOf(places, Math.max(count, 2 * places.length));
    }
    int at = Message.BODY + 2;
    for (int i = 0; i < count; i++) {
      places[i] = row.offset() + at;
      at += 4 + Math.max(0, row.int32(at));
    }
    firstHidden = Math.max(0, count - hidden.length);
  }

  /** Where the columns begin that were added, in bytes after the start of the message. */
  int placeOfHidden(Message row) {
    return firstHidden < count ? places[firstHidden] - row.offset() : row.length();
  }

  @Override
  public int columns() {
    return count;
  }

  @Override
  public String label(int column) {
    Columns known = columns;
    if (known == null || column > known.labels().size()) {
      throw new IllegalStateException("the server has not described column " + column);
    }
    return known.labels().get(column - 1);
  }

  @Override
  public Object value(int column, ColumnType type) {
    int at = places[column - 1];
    int size = Message.int32(bytes, at);
    if (size < 0) {
      return Operand.NULL;
    }
    int added = column - 1 - firstHidden;
    boolean noSign = added >= 0 && added < unsigned.length && unsigned[added];
    return values.column(type, isBinary(column), noSign, bytes, at + 4, size);
  }

  @Override
  public @Nullable String @Nullable [][] texts(int column) {
    int at = places[column - 1];
    int size = Message.int32(bytes, at);
    return size < 0 ? null : TextArrays.read(isBinary(column), bytes, at + 4, size);
  }

  /** The values as text, which is how they come. */
  @Nullable String[] texts() {
    @Nullable String[] texts = new @Nullable String[count];
    for (int i = 0; i < count; i++) {
      int size = Message.int32(bytes, places[i]);
      if (size >= 0) {
        texts[i] = new String(bytes, places[i] + 4, size, StandardCharsets.UTF_8);
      }
    }
    return texts;
  }

  private boolean isBinary(int column) {
    return formats.isBinary(column - 1, columns);
  }
}
