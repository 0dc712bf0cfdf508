package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Operand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Types;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The values that the application has bound to a prepared statement. */
final class Parameters {
  private @Nullable Object[] values = new @Nullable Object[4];

  /** The application called a setter with these arguments, the parameter's number first. */
  void set(int index, String setter, Object[] arguments) {
    if (index < 1 || index > 65_535) {
      return;
    }
    if (index > values.length) {
      values = Arrays.copyOf(values, Math.max(index, values.length * 2));
    }
    values[index - 1] = value(setter, arguments);
  }

  void clear() {
    Arrays.fill(values, null);
  }

  /** The values as they are, unchanged by later setters. */
  IntFunction<Object> snapshot() {
    @Nullable Object[] copy = values.clone();
    return index -> {
      Object value = index >= 1 && index <= copy.length ? copy[index - 1] : null;
      return value == null ? Operand.UNKNOWN : value;
    };
  }

  private static Object value(String setter, Object[] arguments) {
    return switch (setter) {
      case "setNull" -> Operand.NULL;
      case "setByte",
          "setShort",
          "setInt",
          "setLong",
          "setBigDecimal",
          "setString",
          "setNString",
          "setBoolean",
          "setBytes" ->
          plain(arguments[1]);
      case "setObject" -> object(arguments);
      default -> Operand.UNKNOWN;
    };
  }

  /** With a type the driver converts the value, to another one if it is not of that type. */
  private static Object object(Object[] arguments) {
    if (arguments.length == 2 || arguments[1] == null) {
      return plain(arguments[1]);
    }
    if (arguments.length > 3 || !(arguments[2] instanceof Integer type)) {
      return Operand.UNKNOWN;
    }
    if (type == Types.BIGINT && arguments[1] instanceof String digits) {
      return number(digits);
    }
    return isOf(arguments[1], type) ? plain(arguments[1]) : Operand.UNKNOWN;
  }

  private static Object number(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return Operand.UNKNOWN;
    }
  }

  private static boolean isOf(Object value, int type) {
    return switch (type) {
      case Types.BIGINT ->
          value instanceof Long
              || value instanceof Integer
              || value instanceof Short
              || value instanceof Byte;
      case Types.INTEGER ->
          value instanceof Integer || value instanceof Short || value instanceof Byte;
      case Types.SMALLINT -> value instanceof Short || value instanceof Byte;
      case Types.NUMERIC, Types.DECIMAL -> value instanceof BigDecimal;
      case Types.VARCHAR, Types.LONGVARCHAR -> value instanceof String;
      case Types.BOOLEAN, Types.BIT -> value instanceof Boolean;
      case Types.BINARY, Types.VARBINARY -> value instanceof byte[];
      case Types.OTHER -> value instanceof UUID;
      default -> false;
    };
  }

  private static Object plain(@Nullable Object value) {
    if (value == null) {
      return Operand.NULL;
    }
    boolean exact =
        value instanceof String
            || value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte
            || value instanceof BigDecimal
            || value instanceof BigInteger
            || value instanceof Boolean
            || value instanceof UUID
            || value instanceof byte[];
    return exact ? value : Operand.UNKNOWN;
  }
}
