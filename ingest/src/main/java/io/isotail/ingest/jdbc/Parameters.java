package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Operand;
import java.math.BigDecimal;
import java.math.BigInteger;
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
      case "setObject" -> arguments.length > 3 ? Operand.UNKNOWN : plain(arguments[1]);
      default -> Operand.UNKNOWN;
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
