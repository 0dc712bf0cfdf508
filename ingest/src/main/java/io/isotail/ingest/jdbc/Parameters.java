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
  private static final @Nullable Object[] NONE = {};
  private static final int AT_FIRST = 4;

  private @Nullable Object[] values = NONE;

  /** Whether a snapshot has the values too: it keeps them when they change. */
  private boolean shared;

  /** The application called this setter with these arguments, the parameter's number first. */
  void set(int index, Called setter, Object[] arguments) {
    if (index < 1 || index > 65_535) {
      return;
    }
    if (index > values.length) {
      values = Arrays.copyOf(values, Math.max(index, Math.max(AT_FIRST, values.length * 2)));
      shared = false;
    } else if (shared) {
      values = values.clone();
      shared = false;
    }
    values[index - 1] = value(setter, arguments);
  }

  void clear() {
    values = NONE;
    shared = false;
  }

  /** The values as they are, unchanged by later setters. */
  IntFunction<Object> snapshot() {
    shared = true;
    return new Snapshot(values);
  }

  private static final class Snapshot implements IntFunction<Object> {
    private final @Nullable Object[] values;

    Snapshot(@Nullable Object[] values) {
      this.values = values;
    }

    @Override
    public Object apply(int index) {
      Object value = index >= 1 && index <= values.length ? values[index - 1] : null;
      return value == null ? Operand.UNKNOWN : value;
    }
  }

  private static Object value(Called setter, Object[] arguments) {
    return switch (setter) {
      case SET_NULL -> Operand.NULL;
      case SET_EXACT -> plain(arguments[1]);
      case SET_OBJECT -> object(arguments);
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
