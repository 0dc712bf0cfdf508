package io.isotail.ingest.sql;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What makes the content of a row of MariaDB: one text of the values of its columns, of which the
 * MD5 hash stands for all of them. The server computes the hash as a hidden column of a query, and
 * whoever follows its log computes the same of the values in there. Immutable, equal by its
 * columns.
 *
 * <p>A column is left out whose values the server may show in another way than the log does.
 *
 * @param columns in the order of the table
 */
public record RowContent(List<Column> columns) {
  /** Digits of a hash of what the columns are. */
  private static final int LABEL = 12;

  /** Name of the version column of a table whose rows tell contents: that of no column. */
  static final String VERSION = "(content)";

  private static final char SEPARATOR = '\u001f';

  /** Copies the list. */
  public RowContent {
    columns = List.copyOf(columns);
  }

  /** How the server shows a value, and how the log's is made the same. */
  public enum Kind {
    /** Whole numbers, years left out. */
    INTEGER("%s"),
    /** Numbers with a fixed count of digits after the point. */
    DECIMAL("%s"),
    /** Text in UTF-8, or in ASCII. */
    TEXT("%s"),
    /** Text of a fixed length, without the blanks at its end. */
    PADDED_TEXT("%s"),
    /** Text in another character set that is certain. */
    OTHER_TEXT("CONVERT(%s USING utf8mb4)"),
    /** Days. */
    DATE("%s"),
    /** Days with a time, of no zone. */
    DATETIME("%s"),
    /** Moments: shown in the session's zone, unless they are asked for as numbers. */
    TIMESTAMP("UNIX_TIMESTAMP(%s)"),
    /** Enumerations, sets and bits: by number. */
    NUMBERED("%s+0"),
    /** Floating point numbers: shown whole as numbers of double precision alone. */
    FLOATING("%s+0e0"),
    /** Bytes. */
    BYTES("HEX(%s)"),
    /** UUIDs. */
    UUID("%s");

    private final String shown;

    Kind(String shown) {
      this.shown = shown;
    }

    /** The kind that an answer of the catalog names. */
    public static Kind named(String label) {
      return valueOf(label.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * A column.
   *
   * @param name its name, in lower case
   * @param kind of its values
   */
  public record Column(String name, Kind kind) {

    /**
     * Whether what a statement sets it to, and what the log has then, can be told to be the same.
     */
    public boolean isComparable() {
      return type() != ColumnType.UNSUPPORTED;
    }

    private ColumnType type() {
      return switch (kind) {
        case INTEGER -> ColumnType.INTEGER;
        case DECIMAL -> ColumnType.NUMERIC;
        case TEXT, OTHER_TEXT -> ColumnType.TEXT;
        case PADDED_TEXT -> ColumnType.PADDED_TEXT;
        case UUID -> ColumnType.UUID;
        case DATE, DATETIME, TIMESTAMP, NUMBERED, FLOATING, BYTES -> ColumnType.UNSUPPORTED;
      };
    }

    /** The column, where records name the columns that the log or a statement tells alone. */
    public String label() {
      return name + ' ' + kind.name().toLowerCase(Locale.ROOT);
    }

    /**
     * What is told of a value of a {@link #isComparable} column alone.
     *
     * @param value as a statement gives it or as the server shows it; null or {@link Operand#NULL}
     *     for NULL
     * @return null if it is not certain what the column holds then
     */
    public @Nullable String told(@Nullable Object value) {
      if (value == null || value == Operand.NULL) {
        return label() + SEPARATOR;
      }
      Object given = value instanceof Boolean b && kind == Kind.INTEGER ? (b ? 1L : 0L) : value;
      String text = type().canonical(given);
      return text == null ? null : label() + SEPARATOR + "=" + text;
    }
  }

  /**
   * Reads what the catalog has answered: name and {@link Kind} of each column in turn.
   *
   * @return null if there is none
   */
  public static @Nullable RowContent parse(@Nullable String answer) {
    if (answer == null || answer.isEmpty()) {
      return null;
    }
    String[] words = answer.split(String.valueOf(SEPARATOR), -1);
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      columns.add(new Column(words[i], Kind.named(words[i + 1])));
    }
    return new RowContent(columns);
  }

  /**
   * The content, where records name the columns that a read or the log tells. It is another one
   * where it is made of other columns: of a table that was altered, or of which a user may not read
   * all.
   */
  List<String> label() {
    String text =
        columns.stream()
            .map(column -> column.name() + SEPARATOR + column.kind())
            .collect(Collectors.joining(String.valueOf(SEPARATOR)));
    return List.of("row-" + md5(text).substring(0, LABEL));
  }

  /**
   * The expression of the server.
   *
   * @param qualifier how a statement calls the table, with a point at its end
   */
  String expression(String qualifier) {
    return columns.stream()
        .map(column -> column.kind().shown.formatted(qualifier + quoted(column.name())))
        .map(shown -> "QUOTE(" + shown + ")")
        .collect(Collectors.joining(",", "MD5(CONCAT_WS(',',", "))"));
  }

  /** A name as a statement of MariaDB writes it, whatever is a word of its own there. */
  public static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /**
   * The hash that the server would tell.
   *
   * @param shown the columns' values as the server shows them, null for NULL
   */
  public static String hash(List<@Nullable String> shown) {
    return md5(shown.stream().map(RowContent::quote).collect(Collectors.joining(",")));
  }

  private static String md5(String text) {
    try {
      MessageDigest md5 = MessageDigest.getInstance("MD5");
      return HexFormat.of().formatHex(md5.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  /** As MariaDB's QUOTE does. */
  private static String quote(@Nullable String value) {
    if (value == null) {
      return "NULL";
    }
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('\'');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\0' -> quoted.append("\\0");
        case '\u001a' -> quoted.append("\\Z");
        case '\'', '\\' -> quoted.append('\\').append(c);
        default -> quoted.append(c);
      }
    }
    return quoted.append('\'').toString();
  }

  /**
   * A floating point number as the server shows it; null where that is not certain: very large and
   * very small ones, which it shows with an exponent, and a zero with a sign.
   */
  public static @Nullable String floating(double value) {
    double size = Math.abs(value);
    if (value == 0) {
      return Double.doubleToRawLongBits(value) == 0 ? "0" : null;
    }
    return size < 1e-4 || size >= 1e15
        ? null
        : new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
  }
}
