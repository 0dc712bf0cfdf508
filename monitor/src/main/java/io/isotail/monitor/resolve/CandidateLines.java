package io.isotail.monitor.resolve;

import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.monitor.terminal.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Candidate keys, one a line, for rows that are gone. The columns of a key of several are separated
 * by tabs.
 */
public final class CandidateLines {
  private final KeyMatcher matcher;
  private final RowIdentities rows;
  private final SearchListener listener;

  /** For keys in the matcher's tables. */
  public CandidateLines(KeyMatcher matcher, SearchListener listener) {
    this.matcher = matcher;
    this.rows = matcher.rows();
    this.listener = listener;
  }

  /**
   * Has each line compared; returns the number of lines that are keys.
   *
   * @throws ResolveException when the type of a key column is not known
   */
  public long run(BufferedReader lines) throws ResolveException, IOException {
    requireTypes();
    long number = 0;
    long unfit = 0;
    long firstUnfit = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (!compare(line) && unfit++ == 0) {
        firstUnfit = number;
      }
    }
    if (unfit > 0) {
      listener.note(
          "%,d of %,d lines, the first is line %,d, fit the key of no table; expected the key"
                  .formatted(unfit, number, firstUnfit)
              + " columns in their order, separated by tabs");
    }
    return number - unfit;
  }

  private void requireTypes() throws ResolveException {
    for (SearchTable table : matcher.tables()) {
      for (ObservedTable.Column column : table.first().key()) {
        if (rows.type(table.first(), column) == null) {
          throw new ResolveException(
              "found no type of column %s of %s; expected it in isotail.tables, as in"
                      .formatted(Printable.value(column.name()), table.shown())
                  + " orders(id bigint; version bigint), or --url");
        }
      }
    }
  }

  private boolean compare(String line) {
    boolean fits = false;
    for (SearchTable table : matcher.tables()) {
      List<Object> values = values(table.first(), line);
      fits |= values != null && matcher.compare(table, values, null);
    }
    return fits;
  }

  private @Nullable List<Object> values(ObservedTable table, String line) {
    List<ObservedTable.Column> key = table.key();
    String[] texts = key.size() == 1 ? new String[] {line} : line.split("\t", -1);
    if (texts.length != key.size()) {
      return null;
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < texts.length; i++) {
      Object value = value(rows.type(table, key.get(i)), texts[i]);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values;
  }

  private static @Nullable Object value(@Nullable ColumnType type, String text) {
    if (type == ColumnType.BYTES) {
      try {
        return HexFormat.of().parseHex(text.startsWith("\\x") ? text.substring(2) : text);
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    if (type == ColumnType.BOOLEAN) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "t", "true" -> true;
        case "f", "false" -> false;
        default -> null;
      };
    }
    return text;
  }
}
