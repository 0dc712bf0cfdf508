package io.isotail.monitor.tail;

import com.github.shyiko.mysql.binlog.event.deserialization.ColumnType;
import io.isotail.ingest.sql.RowContent;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.HexFormat;
import java.util.Locale;
import java.util.TimeZone;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table as the catalog has it, and how a value in the binary log becomes what the
 * server would show of it.
 *
 * @param name in lower case
 * @param kind what it is in a row's content; null if it is none of that
 * @param unsigned whether its whole numbers have no sign, which the log does not tell
 * @param latin whether its texts are in latin1, and not in UTF-8
 * @param length of a text in characters, of bytes in bytes, of a number in bytes; 0 for others
 * @param type its data type as the catalog names it
 * @param octets of a text or of bytes at most; 0 for others
 */
record TailedColumn(
    String name,
    RowContent.@Nullable Kind kind,
    boolean unsigned,
    boolean latin,
    int length,
    String type,
    int octets) {

  private static final int UUID_BYTES = 16;

  /** MySQL's latin1. */
  private static final Charset LATIN = Charset.forName("windows-1252");

  private static final long MICROS = 1_000_000;

  /** The 15th of October 1582, in seconds since 1970. */
  private static final long GREGORIAN = -12_219_292_800L;

  /** In place of a value of which it is not certain what the server would show. */
  static final Object NOT_CERTAIN = new Object();

  /** Whether the log may show values of this column so. */
  boolean fits(byte typeInLog, int meta) {
    int code = Byte.toUnsignedInt(typeInLog);
    return switch (type) {
      case "tinyint" -> code == ColumnType.TINY.getCode();
      case "smallint" -> code == ColumnType.SHORT.getCode();
      case "mediumint" -> code == ColumnType.INT24.getCode();
      case "int" -> code == ColumnType.LONG.getCode();
      case "bigint" -> code == ColumnType.LONGLONG.getCode();
      case "decimal" -> code == ColumnType.NEWDECIMAL.getCode();
      case "float" -> code == ColumnType.FLOAT.getCode();
      case "double" -> code == ColumnType.DOUBLE.getCode();
      case "bit" -> code == ColumnType.BIT.getCode();
      case "varchar", "varbinary" -> code == ColumnType.VARCHAR.getCode() && meta == octets;
      case "char", "binary", "enum", "set", "uuid" -> code == ColumnType.STRING.getCode();
      case "date" -> code == ColumnType.DATE.getCode() || code == ColumnType.NEWDATE.getCode();
      case "datetime" ->
          code == ColumnType.DATETIME.getCode() || code == ColumnType.DATETIME_V2.getCode();
      case "timestamp" ->
          code == ColumnType.TIMESTAMP.getCode() || code == ColumnType.TIMESTAMP_V2.getCode();
      default -> kind == null;
    };
  }

  /**
   * What is known of a value: null for NULL, else a text or {@link #NOT_CERTAIN}.
   *
   * @param value as the log's client reads it
   * @param meta of the column in the log, from which digits are told
   */
  @Nullable Object shown(@Nullable Serializable value, int meta) {
    if (value == null || kind == null) {
      return value == null ? null : NOT_CERTAIN;
    }
    Object shown =
        switch (kind) {
          case INTEGER -> integer(value);
          case DECIMAL -> value instanceof BigDecimal d ? decimal(d, meta) : null;
          case TEXT, OTHER_TEXT -> text(value);
          case PADDED_TEXT -> withoutBlanks(text(value));
          case DATE -> day(value);
          case DATETIME -> time(value, meta);
          case TIMESTAMP -> moment(value, meta);
          case NUMBERED -> numbered(value);
          case FLOATING -> floating(value);
          case BYTES -> value instanceof byte[] bytes ? hex(filled(bytes)) : null;
          case UUID -> value instanceof byte[] bytes ? uuid(bytes) : null;
        };
    return shown == null ? NOT_CERTAIN : shown;
  }

  /** A value of a key's column as the driver would read it; null if it is not certain. */
  @Nullable Object keyValue(@Nullable Serializable value, int meta) {
    if (kind == RowContent.Kind.BYTES) {
      return value instanceof byte[] bytes ? filled(bytes) : null;
    }
    Object shown = shown(value, meta);
    return shown == NOT_CERTAIN ? null : shown;
  }

  private @Nullable String integer(Serializable value) {
    if (value instanceof Integer i) {
      return Long.toString(unsigned && i < 0 ? i + (1L << (8 * length)) : i);
    }
    if (value instanceof Long l) {
      BigInteger whole = BigInteger.valueOf(l);
      return (unsigned && l < 0 ? whole.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : whole)
          .toString();
    }
    return null;
  }

  private static String decimal(BigDecimal value, int meta) {
    int scale = meta >> 8;
    return (value.signum() == 0 ? BigDecimal.ZERO : value).setScale(scale).toPlainString();
  }

  private @Nullable String text(Serializable value) {
    return value instanceof byte[] bytes
        ? new String(bytes, latin ? LATIN : StandardCharsets.UTF_8)
        : null;
  }

  private static @Nullable String withoutBlanks(@Nullable String text) {
    int end = text == null ? 0 : text.length();
    while (text != null && end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text == null ? null : text.substring(0, end);
  }

  /**
   * The day and time of microseconds since 1970; null where the log has no day that exists. The
   * log's client counts them by the Julian calendar where that was in use.
   */
  private static @Nullable LocalDateTime local(Serializable value) {
    if (!(value instanceof Long micros) || micros == Long.MIN_VALUE) {
      return null;
    }
    long seconds = Math.floorDiv(micros, MICROS);
    int nanos = (int) Math.floorMod(micros, MICROS) * 1_000;
    if (seconds >= GREGORIAN) {
      return LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
    }
    GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    calendar.setTimeInMillis(seconds * 1_000);
    return calendar.get(Calendar.ERA) != GregorianCalendar.AD
        ? null
        : LocalDateTime.of(
            calendar.get(Calendar.YEAR),
            calendar.get(Calendar.MONTH) + 1,
            calendar.get(Calendar.DAY_OF_MONTH),
            calendar.get(Calendar.HOUR_OF_DAY),
            calendar.get(Calendar.MINUTE),
            calendar.get(Calendar.SECOND),
            nanos);
  }

  private static @Nullable String day(Serializable value) {
    LocalDateTime day = local(value);
    return day == null || day.getYear() > 9999 ? null : day.toLocalDate().toString();
  }

  private static @Nullable String time(Serializable value, int digits) {
    LocalDateTime time = local(value);
    return time == null || time.getYear() > 9999
        ? null
        : String.format(
            Locale.ROOT,
            "%s %02d:%02d:%02d%s",
            time.toLocalDate(),
            time.getHour(),
            time.getMinute(),
            time.getSecond(),
            fraction(time.getNano() / 1_000, digits));
  }

  private static @Nullable String moment(Serializable value, int digits) {
    return value instanceof Long micros && micros > 0
        ? micros / MICROS + fraction((int) (micros % MICROS), digits)
        : null;
  }

  private static String fraction(int micros, int digits) {
    return digits == 0 ? "" : "." + String.format(Locale.ROOT, "%06d", micros).substring(0, digits);
  }

  private static @Nullable String numbered(Serializable value) {
    if (value instanceof Integer || value instanceof Long) {
      long number = ((Number) value).longValue();
      return number < 0 ? null : Long.toString(number);
    }
    if (value instanceof BitSet bits && bits.length() < Long.SIZE - 10) {
      long[] words = bits.toLongArray();
      return Long.toString(words.length == 0 ? 0 : words[0]);
    }
    return null;
  }

  private static @Nullable String floating(Serializable value) {
    return value instanceof Float || value instanceof Double
        ? RowContent.floating(((Number) value).doubleValue())
        : null;
  }

  /** The log leaves out zeros at the end. */
  private static @Nullable String uuid(byte[] bytes) {
    if (bytes.length > UUID_BYTES) {
      return null;
    }
    ByteBuffer all = ByteBuffer.wrap(Arrays.copyOf(bytes, UUID_BYTES));
    return new UUID(all.getLong(), all.getLong()).toString();
  }

  private byte[] filled(byte[] bytes) {
    // The log leaves out zeros that the column has been filled up with.
    return type.equals("binary") && bytes.length < length ? Arrays.copyOf(bytes, length) : bytes;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().withUpperCase().formatHex(bytes);
  }
}
