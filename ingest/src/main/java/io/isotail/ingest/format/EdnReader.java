package io.isotail.ingest.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The forms of an EDN file, or the values of a JSON one, one at a time. A vector, list or JSON
 * array around the whole file is passed through: its elements are what is read.
 *
 * <p>A form is a {@code Map}, a {@code List} (also for lists and sets), a {@code String}, a {@code
 * Long} or {@code BigInteger}, a {@code Boolean}, null, or a {@link Word} for anything else. Tags
 * are skipped, what they tag is read. JSON differs from EDN in so little here (a colon after a key,
 * {@code null}) that both are read by the same rules; where a map's key is a string, a colon may
 * follow it.
 *
 * <p>Bounds: nesting and bytes of one form. State: the form being read.
 */
final class EdnReader implements AutoCloseable {
  /** Forms within forms, at most. */
  static final int MAX_DEPTH = 64;

  private static final BitSet DELIMITERS = new BitSet(256);

  static {
    "()[]{}\";, \t\n\u000b\f\r".chars().forEach(DELIMITERS::set);
  }

  /** So many digits are a number of 64 bits in any case. */
  private static final int MOST_DIGITS = 18;

  /** Bytes of one form, at most. */
  static final long MAX_FORM_BYTES = 256L << 20;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int END = -1;

  private final Path path;
  private final HistoryBytes in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private int position;
  private int limit;
  private long line = 1;
  private long formBytes;

  /** What closes the container around the whole file; 0 if there is none, or it is closed. */
  private int closing;

  private boolean closed;
  private boolean anyRead;
  private long formLine;

  EdnReader(Path path) throws IOException, HistoryFormatException {
    this(path, bytes -> {});
  }

  /** Forms of a file; {@code progress} is told how many of its bytes were read. */
  EdnReader(Path path, LongConsumer progress) throws IOException, HistoryFormatException {
    this.path = path;
    this.in = new HistoryBytes(path, progress);
  }

  /** Keywords, with their colon, symbols, characters and fractions, as they are written. */
  record Word(String text) {}

  /** Moves to the next form; false at the end. {@link #form} then returns it. */
  boolean next() throws IOException, HistoryFormatException {
    formBytes = 0;
    while (true) {
      skipBlank();
      int c = peek();
      if (closed && c != END) {
        throw unexpected(c, "the end of the file after the list of operations");
      }
      if (c == END) {
        if (closing != 0) {
          throw unexpected(c, "'" + (char) closing + "', the end of the list of operations");
        }
        return false;
      }
      if (closing != 0 && c == closing) {
        take();
        closing = 0;
        closed = true;
      } else if (!anyRead && (c == '[' || c == '(')) {
        take();
        closing = c == '[' ? ']' : ')';
        anyRead = true;
      } else if (c == '#' && second() == '_') {
        isDiscard();
        readForm(0);
      } else {
        anyRead = true;
        formLine = line;
        return true;
      }
    }
  }

  /** The form that {@link #next} moved to; to be called once. */
  @Nullable Object form() throws IOException, HistoryFormatException {
    return readForm(0);
  }

  /** The line on which the form starts, from 1. */
  long line() {
    return formLine;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private @Nullable Object readForm(int depth) throws IOException, HistoryFormatException {
    if (depth > MAX_DEPTH) {
      throw new HistoryFormatException(
          path, line, "forms within forms", "at most %d of them".formatted(MAX_DEPTH));
    }
    while (true) {
      skipBlank();
      int c = peek();
      switch (c) {
        case '{':
          take();
          return readMap(depth);
        case '[':
          take();
          return readList(']', depth);
        case '(':
          take();
          return readList(')', depth);
        case '"':
          take();
          return readString();
        case '#':
          if (isDiscard()) {
            readForm(depth + 1);
          } else if (peek() == '{') {
            take();
            return readList('}', depth);
          } else {
            readWord(); // A tag: what it tags follows.
          }
          continue;
        default:
          if (c == END || isDelimiter(c)) {
            throw unexpected(c, "a form");
          }
          Long number = smallNumber();
          return number == null ? plain(readWord()) : number;
      }
    }
  }

  /**
   * Takes a whole number of a few digits, which most of a long history is made of; null, and takes
   * nothing, where it is anything else or not all of it is in hand.
   */
  private @Nullable Long smallNumber() {
    long value = 0;
    int end = position;
    int most = Math.min(limit - 1, position + MOST_DIGITS);
    while (end < most && buffer[end] >= '0' && buffer[end] <= '9') {
      value = 10 * value + buffer[end++] - '0';
    }
    if (end == position || !isDelimiter(buffer[end] & 0xff)) {
      return null;
    }
    formBytes += end - position;
    position = end;
    return value;
  }

  /** At a '#', which is taken: whether it begins {@code #_}, which is taken too. */
  private boolean isDiscard() throws IOException, HistoryFormatException {
    take();
    if (peek() == '_') {
      take();
      return true;
    }
    return false;
  }

  private List<@Nullable Object> readList(int end, int depth)
      throws IOException, HistoryFormatException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (!ends(end, depth)) {
      elements.add(readForm(depth + 1));
    }
    return elements;
  }

  private Map<Object, @Nullable Object> readMap(int depth)
      throws IOException, HistoryFormatException {
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    while (!ends('}', depth)) {
      long keyLine = line;
      Object key = readForm(depth + 1);
      skipBlank();
      if (key instanceof String && peek() == ':') {
        take();
      }
      Object value = readForm(depth + 1);
      if (key == null || map.containsKey(key)) {
        throw new HistoryFormatException(
            path, keyLine, key == null ? "the key nil" : "a key twice", "each key of a map once");
      }
      map.put(key, value);
    }
    return map;
  }

  /** Whether the collection ends here; takes its end, and what is discarded before. */
  private boolean ends(int end, int depth) throws IOException, HistoryFormatException {
    while (true) {
      skipBlank();
      int c = peek();
      if (c == end) {
        take();
        return true;
      }
      if (c == END) {
        throw unexpected(c, "'" + (char) end + "'");
      }
      if (c != '#' || second() != '_') {
        return false;
      }
      isDiscard();
      readForm(depth + 1);
    }
  }

  private String readString() throws IOException, HistoryFormatException {
    text.reset();
    StringBuilder decoded = new StringBuilder();
    while (true) {
      int c = take();
      if (c == END) {
        throw unexpected(c, "'\"', the end of a string");
      }
      if (c == '"' || c == '\\') {
        decoded.append(text.toString(StandardCharsets.UTF_8));
        text.reset();
        if (c == '"') {
          return decoded.toString();
        }
        decoded.append(readEscape());
      } else {
        text.write(c);
      }
    }
  }

  private char readEscape() throws IOException, HistoryFormatException {
    int c = take();
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case '"', '\\', '/' -> (char) c;
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = Character.digit(take(), 16);
          if (digit < 0) {
            throw new HistoryFormatException(path, line, "\\u", "four hexadecimal digits after it");
          }
          code = code * 16 + digit;
        }
        yield (char) code;
      }
      default -> throw unexpected(c, "one of n, t, r, b, f, u, '\"', '\\' after '\\'");
    };
  }

  private String readWord() throws IOException, HistoryFormatException {
    int end = position;
    while (end < limit && !isDelimiter(buffer[end] & 0xff)) {
      end++;
    }
    if (end < limit && buffer[position] != '\\') { // All of it is in hand.
      String word = new String(buffer, position, end - position, StandardCharsets.UTF_8);
      formBytes += end - position;
      position = end;
      return word;
    }
    text.reset();
    if (peek() == '\\') { // A character may be a delimiter.
      text.write(take());
      if (peek() != END) {
        text.write(take());
      }
    }
    while (peek() != END && !isDelimiter(peek())) {
      text.write(take());
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  private static @Nullable Object plain(String word) {
    switch (word) {
      case "nil", "null":
        return null;
      case "true":
        return true;
      case "false":
        return false;
      default:
        return isWholeNumber(word) ? number(word) : new Word(word);
    }
  }

  private static Object number(String word) {
    String digits = word.endsWith("N") ? word.substring(0, word.length() - 1) : word;
    return digits.length() <= 18 ? (Object) Long.valueOf(digits) : shortest(digits);
  }

  private static Object shortest(String digits) {
    BigInteger value = new BigInteger(digits);
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  /** Digits with or without a sign and an N; of more than a hundred, a word is made. */
  private static boolean isWholeNumber(String word) {
    int from = word.startsWith("-") || word.startsWith("+") ? 1 : 0;
    int to = word.endsWith("N") ? word.length() - 1 : word.length();
    if (to <= from || to > 100) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (word.charAt(i) < '0' || word.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static boolean isDelimiter(int c) {
    return c >= 0 && DELIMITERS.get(c);
  }

  private static boolean isBlank(int c) {
    return c == ' ' || c == ',' || (c >= '\t' && c <= '\r');
  }

  /** Skips blanks, comments and a byte order mark. */
  private void skipBlank() throws IOException, HistoryFormatException {
    while (true) {
      int c = peek();
      if (isBlank(c)) {
        take();
      } else if (c == ';') {
        while (peek() != END && peek() != '\n') {
          take();
        }
      } else if (c == 0xef && !anyRead) {
        take();
        if (take() != 0xbb || take() != 0xbf) {
          throw unexpected(c, "a form");
        }
      } else {
        return;
      }
    }
  }

  private HistoryFormatException unexpected(int c, String expected) {
    return new HistoryFormatException(
        path, line, c == END ? "the end of the file" : LineReader.describeByte(c), expected);
  }

  private int peek() throws IOException, HistoryFormatException {
    if (position == limit && !fill()) {
      return END;
    }
    return buffer[position] & 0xff;
  }

  /** The byte after the next one. */
  private int second() throws IOException, HistoryFormatException {
    if (position + 1 >= limit && !fill()) {
      return END;
    }
    return buffer[position + 1] & 0xff;
  }

  private int take() throws IOException, HistoryFormatException {
    int c = peek();
    if (c != END) {
      position++;
      if (c == '\n') {
        line++;
      }
      if (++formBytes > MAX_FORM_BYTES) {
        throw new HistoryFormatException(
            path, line, "a form of more than %d bytes".formatted(MAX_FORM_BYTES), "a history");
      }
    }
    return c;
  }

  /** Reads on; false if nothing follows. */
  private boolean fill() throws IOException, HistoryFormatException {
    System.arraycopy(buffer, position, buffer, 0, limit - position);
    limit -= position;
    position = 0;
    int read = in.read(buffer, limit, buffer.length - limit);
    if (read > 0) {
      limit += read;
    }
    return read > 0;
  }
}
