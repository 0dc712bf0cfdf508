package io.isotail.ingest.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Type of a key or version column: decides when two values are the same.
 *
 * <p>A value reaches isotail in many Java types ({@code setInt}, {@code setObject}, a literal, a
 * column read back). {@link #canonical} maps all of those that the database would store as one and
 * the same value to one text, and answers null rather than guess: a wrong identity could look like
 * a violation, an unknown one only costs coverage.
 */
public enum ColumnType {
  /** Integers of any width. */
  INTEGER,
  /** Exact decimals. */
  NUMERIC,
  /** Character strings without padding, compared byte by byte. */
  TEXT,
  /** Character strings padded with blanks. */
  PADDED_TEXT,
  /** UUID. */
  UUID,
  /** Byte strings. */
  BYTES,
  /** Booleans. */
  BOOLEAN,
  /** Text of which what is bound may not be what is stored: xid, and name, which is cut. */
  READ_ONLY_TEXT,
  /** Not supported as an identity: times, floats, arrays, JSON, case-insensitive text. */
  UNSUPPORTED;

  /** The type that a declaration such as {@code bigint} or {@code varchar} names. */
  public static ColumnType named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "smallint",
          "int2",
          "integer",
          "int",
          "int4",
          "bigint",
          "int8",
          "smallserial",
          "serial",
          "serial2",
          "serial4",
          "serial8",
          "bigserial",
          "tinyint",
          "mediumint",
          "oid" ->
          INTEGER;
      case "numeric", "decimal" -> NUMERIC;
      case "text", "varchar", "character varying" -> TEXT;
      case "char", "character", "bpchar" -> PADDED_TEXT;
      case "uuid" -> UUID;
      case "bytea", "blob", "varbinary", "binary varying" -> BYTES;
      case "bool", "boolean" -> BOOLEAN;
      case "xid", "xid8", "name" -> READ_ONLY_TEXT;
      default -> UNSUPPORTED;
    };
  }

  /**
   * The value of this type that PostgreSQL casts to a text.
   *
   * @param text the text, null for NULL
   */
  public Object ofText(@Nullable String text) {
    if (text == null) {
      return Operand.NULL;
    }
    return switch (this) {
      case INTEGER, NUMERIC, TEXT, PADDED_TEXT, UUID, READ_ONLY_TEXT -> text;
      case BYTES ->
          text.startsWith("\\x")
              ? HexFormat.of().parseHex(text, 2, text.length())
              : Operand.UNKNOWN;
      case BOOLEAN -> text.equals("true") ? Boolean.TRUE : Boolean.FALSE;
      case UNSUPPORTED -> Operand.UNKNOWN;
    };
  }

  /**
   * The canonical text of a value of this type, or null when it cannot be told for sure.
   *
   * @param value what was bound, written or read; {@link Operand#NULL} and {@link Operand#UNKNOWN}
   *     give null
   */
  public @Nullable String canonical(@Nullable Object value) {
    if (value == null || value == Operand.NULL || value == Operand.UNKNOWN) {
      return null;
    }
    return switch (this) {
      case INTEGER -> integer(value);
      case NUMERIC -> numeric(value);
      case TEXT -> text(value);
      case PADDED_TEXT -> padded(value);
      case UUID -> uuid(value);
      case BYTES -> value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : null;
      case BOOLEAN -> value instanceof Boolean b ? b.toString() : null;
      case READ_ONLY_TEXT -> value instanceof String s ? s : null;
      case UNSUPPORTED -> null;
    };
  }

  /**
   * Whether a column of this type that equals the value holds just this value. A text may equal
   * another one, under a collation that ignores case.
   */
  public boolean comparesAsStored(Object value) {
    return (this == INTEGER || this == UUID || this == BOOLEAN) && canonical(value) != null;
  }

  /**
   * Whether a column of this type to which the value is given holds just this value. Blanks at the
   * end of a text may be cut off.
   */
  public boolean storesAsGiven(Object value) {
    return comparesAsStored(value)
        || (this == TEXT && value instanceof String text && !text.endsWith(" "));
  }

  private static @Nullable String integer(Object value) {
    if (isIntegral(value)) {
      return value.toString();
    }
    if (value instanceof BigDecimal d) {
      try {
        return Long.toString(d.longValueExact());
      } catch (ArithmeticException e) {
        return null;
      }
    }
    if (value instanceof String s) {
      try {
        return Long.toString(Long.parseLong(s.strip()));
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return null;
  }

  private static @Nullable String numeric(Object value) {
    if (isIntegral(value)) {
      return value.toString();
    }
    if (value instanceof BigDecimal d) {
      return plain(d);
    }
    if (value instanceof String s) {
      try {
        return plain(new BigDecimal(s.strip()));
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return null;
  }

  private static @Nullable String plain(BigDecimal d) {
    return d.precision() + Math.abs((long) d.scale()) > 1_000
        ? null
        : d.signum() == 0 ? "0" : d.stripTrailingZeros().toPlainString();
  }

  private static @Nullable String text(Object value) {
    return value instanceof String || isIntegral(value) || value instanceof java.util.UUID
        ? value.toString()
        : null;
  }

  private static @Nullable String padded(Object value) {
    String text = text(value);
    if (text == null) {
      return null;
    }
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ') {
      end--;
    }
    return text.substring(0, end);
  }

  private static @Nullable String uuid(Object value) {
    if (value instanceof java.util.UUID) {
      return value.toString();
    }
    if (value instanceof String s && s.strip().length() == 36) {
      try {
        return java.util.UUID.fromString(s.strip()).toString();
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    return null;
  }

  private static boolean isIntegral(Object value) {
    return value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigInteger;
  }
}
