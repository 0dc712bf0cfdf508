package io.isotail.ingest.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrays of arrays of text as they stand on the wire. */
final class TextArrays {
  private TextArrays() {}

  /**
   * Reads one.
   *
   * @param binary whether it is in binary format
   * @throws IllegalArgumentException if it is none
   */
  static @Nullable String[][] read(boolean binary, byte[] bytes, int at, int size) {
    return binary
        ? binary(ByteBuffer.wrap(bytes, at, size))
        : new Literal(new String(bytes, at, size, StandardCharsets.UTF_8)).rows();
  }

  /** Number of dimensions, a flag, the type; size and first index of each; then the elements. */
  private static @Nullable String[][] binary(ByteBuffer in) {
    int dimensions = in.getInt();
    in.getInt();
    in.getInt();
    if (dimensions == 0) {
      return new String[0][];
    }
    if (dimensions != 2) {
      throw new IllegalArgumentException("an array of %d dimensions".formatted(dimensions));
    }
    int count = in.getInt();
    in.getInt();
    int width = in.getInt();
    in.getInt();
    if (count < 0 || width < 0 || (long) count * width > in.remaining() / 4) {
      throw new IllegalArgumentException("an array of %d by %d".formatted(count, width));
    }
    @Nullable String[][] rows = new @Nullable String[count][width];
    for (@Nullable String[] row : rows) {
      for (int i = 0; i < width; i++) {
        int length = in.getInt();
        if (length >= 0) {
          byte[] text = new byte[length];
          in.get(text);
          row[i] = new String(text, StandardCharsets.UTF_8);
        }
      }
    }
    return rows;
  }

  /** An array as text: {@code {{1,a},{2,"b c"}}}. */
  private static final class Literal {
    private final String text;
    private int at;

    Literal(String text) {
      this.text = text;
    }

    @Nullable String[][] rows() {
      List<@Nullable String[]> rows = new ArrayList<>();
      expect('{');
      while (peek() != '}') {
        rows.add(row());
        if (peek() == ',') {
          at++;
        }
      }
      return rows.toArray(new @Nullable String[0][]);
    }

    private @Nullable String[] row() {
      List<@Nullable String> row = new ArrayList<>();
      expect('{');
      while (peek() != '}') {
        row.add(element());
        if (peek() == ',') {
          at++;
        }
      }
      at++;
      return row.toArray(new @Nullable String[0]);
    }

    private @Nullable String element() {
      StringBuilder element = new StringBuilder();
      boolean quoted = peek() == '"';
      at += quoted ? 1 : 0;
      while (quoted ? peek() != '"' : peek() != ',' && peek() != '}') {
        at += peek() == '\\' ? 1 : 0;
        element.append(peek());
        at++;
      }
      at += quoted ? 1 : 0;
      return !quoted && element.toString().equalsIgnoreCase("NULL") ? null : element.toString();
    }

    private char peek() {
      if (at >= text.length()) {
        throw new IllegalArgumentException("an array that does not end");
      }
      return text.charAt(at);
    }

    private void expect(char c) {
      if (peek() != c) {
        throw new IllegalArgumentException("an array with %s for %s".formatted(peek(), c));
      }
      at++;
    }
  }
}
