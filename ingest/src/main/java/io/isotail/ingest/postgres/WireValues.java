package io.isotail.ingest.postgres;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Operand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Values as they stand on the wire, in text or in binary format (PostgreSQL's documentation,
 * "Formats and Format Codes"). What cannot be told exactly is {@link Operand#UNKNOWN}. Of one
 * session, for one thread.
 */
final class WireValues {
  private static final int NUMERIC_NEGATIVE = 0x4000;
  private static final int NUMERIC_BASE_DIGITS = 4;

  /** Whether texts are in UTF-8. In another encoding only those of ASCII alone can be read. */
  private boolean utf8 = true;

  /** The client's encoding changes, as the server reports it. */
  void clientEncoding(String name) {
    utf8 = name.equalsIgnoreCase("UTF8");
  }

  /**
   * The value of a column that is read as a type.
   *
   * @param binary whether it is in binary format
   * @param unsigned whether a number of four bytes has no sign, as {@code xid} has none
   */
  Object column(ColumnType type, boolean binary, boolean unsigned, byte[] bytes, int at, int size) {
    if (!binary) {
      return textual(type, text(bytes, at, size));
    }
    return switch (type) {
      case INTEGER -> integer(bytes, at, size, unsigned);
      case NUMERIC -> numeric(bytes, at, size);
      case TEXT, PADDED_TEXT -> text(bytes, at, size);
      case READ_ONLY_TEXT ->
          unsigned ? String.valueOf(integer(bytes, at, size, true)) : text(bytes, at, size);
      case UUID -> uuid(bytes, at, size);
      case BYTES -> copy(bytes, at, size);
      case BOOLEAN -> size == 1 ? (Object) (bytes[at] != 0) : Operand.UNKNOWN;
      case UNSUPPORTED -> Operand.UNKNOWN;
    };
  }

  private static Object textual(ColumnType type, Object value) {
    if (!(value instanceof String text)) {
      return value;
    }
    return switch (type) {
      case INTEGER -> {
        try {
          yield Long.valueOf(text);
        } catch (NumberFormatException e) {
          yield Operand.UNKNOWN;
        }
      }
      case BYTES -> bytea(text);
      case BOOLEAN -> text.equals("t") ? (Object) true : text.equals("f") ? false : Operand.UNKNOWN;
      case NUMERIC, TEXT, PADDED_TEXT, UUID, READ_ONLY_TEXT -> text;
      case UNSUPPORTED -> Operand.UNKNOWN;
    };
  }

  /**
   * The value of a parameter.
   *
   * @param type oid of its type, 0 where the client leaves it to the server
   * @param binary whether it is in binary format
   */
  Object parameter(int type, boolean binary, byte[] bytes, int at, int size) {
    if (!binary) {
      return switch (type) {
        case Oids.BOOL -> textual(ColumnType.BOOLEAN, text(bytes, at, size));
        case Oids.BYTEA -> textual(ColumnType.BYTES, text(bytes, at, size));
        default -> text(bytes, at, size);
      };
    }
    return switch (type) {
      case Oids.BOOL -> column(ColumnType.BOOLEAN, true, false, bytes, at, size);
      case Oids.INT2, Oids.INT4, Oids.INT8 -> integer(bytes, at, size, false);
      case Oids.NUMERIC -> numeric(bytes, at, size);
      case Oids.TEXT, Oids.VARCHAR, Oids.BPCHAR -> text(bytes, at, size);
      case Oids.UUID -> uuid(bytes, at, size);
      case Oids.BYTEA -> copy(bytes, at, size);
      default -> Operand.UNKNOWN;
    };
  }

  /** A text; unknown if it cannot be read exactly. */
  Object text(byte[] bytes, int at, int size) {
    for (int i = 0; i < size && !utf8; i++) {
      if (bytes[at + i] < 0) {
        return Operand.UNKNOWN;
      }
    }
    String text = new String(bytes, at, size, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 ? text : Operand.UNKNOWN;
  }

  private static Object integer(byte[] bytes, int at, int size, boolean unsigned) {
    if (size != 2 && size != 4 && size != 8) {
      return Operand.UNKNOWN;
    }
    long value = bytes[at];
    for (int i = 1; i < size; i++) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return unsigned && size == 4 ? value & 0xFFFF_FFFFL : value;
  }

  private static Object uuid(byte[] bytes, int at, int size) {
    return size == 16
        ? new UUID((Long) integer(bytes, at, 8, false), (Long) integer(bytes, at + 8, 8, false))
            .toString()
        : Operand.UNKNOWN;
  }

  private static Object bytea(String text) {
    try {
      return text.startsWith("\\x")
          ? HexFormat.of().parseHex(text, 2, text.length())
          : Operand.UNKNOWN;
    } catch (IllegalArgumentException e) {
      return Operand.UNKNOWN;
    }
  }

  private static byte[] copy(byte[] bytes, int at, int size) {
    byte[] copy = new byte[size];
    System.arraycopy(bytes, at, copy, 0, size);
    return copy;
  }

  /** Groups of four decimal digits, the weight of the first, a sign, and the digits to show. */
  private static Object numeric(byte[] bytes, int at, int size) {
    if (size < 8) {
      return Operand.UNKNOWN;
    }
    int groups = int16(bytes, at);
    int weight = (short) int16(bytes, at + 2);
    int sign = int16(bytes, at + 4);
    int scale = int16(bytes, at + 6);
    if (size != 8 + 2 * groups || (sign != 0 && sign != NUMERIC_NEGATIVE)) {
      return Operand.UNKNOWN; // NaN and infinity.
    }
    BigInteger digits = BigInteger.ZERO;
    for (int i = 0; i < groups; i++) {
      digits =
          digits
              .multiply(BigInteger.valueOf(10_000))
              .add(BigInteger.valueOf(int16(bytes, at + 8 + 2 * i)));
    }
    BigDecimal value =
        new BigDecimal(digits, NUMERIC_BASE_DIGITS * (groups - 1 - weight))
            .setScale(scale, RoundingMode.DOWN);
    return sign == NUMERIC_NEGATIVE ? value.negate() : value;
  }

  private static int int16(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }
}
