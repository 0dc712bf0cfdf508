package io.isotail.ingest.jdbc;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The latest call of a setter for each parameter of a prepared statement, to be made again on
 * another one.
 *
 * <p>A value that can be read only once, or that may change after it was set and cannot be copied,
 * cannot be given to both. An SQL array can, until the application frees it.
 */
final class SetterCalls {
  private static final int MAX_PARAMETERS = 65_535;
  private static final @Nullable Call[] NONE = {};
  private static final int AT_FIRST = 4;
  private static final int BYTES_OF_CHARACTER = 3;

  /** Of a value that is no text, and of what stands around all of them. */
  private static final int BYTES_OF_SHORT = 100;

  /** A call with values that nobody changes. */
  static final class Call {
    private final RealMethod method;
    private final Object[] arguments;
    private final boolean repeatable;

    Call(RealMethod method, Object[] arguments) {
      this.method = method;
      this.arguments = arguments;
      this.repeatable = arguments.length > 1 && SetterCalls.isRepeatable(method, arguments[1]);
    }

    boolean isOf(RealMethod other) {
      return method == other;
    }

    void on(PreparedStatement statement) throws Throwable {
      method.on(statement, arguments);
    }

    boolean isRepeatable() {
      return repeatable;
    }

    /** Whether it sets an array of PostgreSQL's driver, which nobody changes, but may free. */
    private boolean isArray() {
      return !repeatable
          && arguments[1] instanceof Array array
          && array.getClass().getName().equals("org.postgresql.jdbc.PgArray");
    }

    /**
     * Whether an array was not freed. The driver knows the name once the array was set; it may
     * assert that it was not freed.
     */
    private boolean isThere() {
      try {
        return !(arguments[1] instanceof Array array) || array.getBaseTypeName() != null;
      } catch (SQLException | RuntimeException | AssertionError e) {
        return false;
      }
    }

    private long bytes() {
      Object value = isPgObject(arguments[1]) ? String.valueOf(arguments[1]) : arguments[1];
      return value instanceof String text
          ? BYTES_OF_CHARACTER * (long) text.length()
          : value instanceof byte[] bytes
              ? bytes.length
              : isShort(value) ? BYTES_OF_SHORT : Integer.MAX_VALUE;
    }

    private static boolean isShort(Number number) {
      return number instanceof BigDecimal decimal
          ? decimal.precision() + Math.abs((long) decimal.scale()) < BYTES_OF_SHORT
          : !(number instanceof BigInteger whole) || whole.bitLength() < 3 * BYTES_OF_SHORT;
    }

    private static boolean isShort(@Nullable Object value) {
      return value == null
          || (value instanceof Number number && isShort(number))
          || value instanceof Boolean
          || value instanceof UUID
          || value instanceof java.util.Date
          || value instanceof Temporal;
    }
  }

  private @Nullable Call[] calls = NONE;
  private int unrepeatable;
  private int arrays;
  private boolean unknownParameter;

  /** The parameter that the call's first argument names has got a value. */
  void put(RealMethod method, Object[] arguments) {
    if (!(arguments[0] instanceof Integer number) || number < 1 || number > MAX_PARAMETERS) {
      unknownParameter = true;
      return;
    }
    if (number > calls.length) {
      calls = Arrays.copyOf(calls, Math.max(number, Math.max(AT_FIRST, 2 * calls.length)));
    }
    Call call = new Call(method, unchanging(arguments));
    Call before = calls[number - 1];
    calls[number - 1] = call;
    count(before, -1);
    count(call, 1);
  }

  private void count(@Nullable Call call, int one) {
    if (call != null && call.isArray()) {
      arrays += one;
    } else if (call != null && !call.isRepeatable()) {
      unrepeatable += one;
    }
  }

  /** No parameter has a value. */
  void clear() {
    Arrays.fill(calls, null);
    unrepeatable = 0;
    arrays = 0;
  }

  /** Whether a call of this setter can be made on another statement too, at any time. */
  static boolean isRepeatable(RealMethod method, Object[] arguments) {
    return arguments.length < 2 || isRepeatable(method, arguments[1]);
  }

  /** Whether all values can be given to another statement too, now. */
  boolean areRepeatable() {
    return unrepeatable == 0
        && !unknownParameter
        && (arrays == 0 || all().stream().allMatch(Call::isThere));
  }

  /** Whether they still can when the application has freed its arrays. */
  boolean areKept() {
    return arrays == 0 && areRepeatable();
  }

  /** The calls, by the numbers of their parameters. */
  List<Call> all() {
    List<Call> all = new ArrayList<>(calls.length);
    for (Call call : calls) {
      if (call != null) {
        all.add(call);
      }
    }
    return all;
  }

  /** How long the messages are at most that execute a statement once. */
  static long bytes(String text, List<Call> calls) {
    long bytes = BYTES_OF_CHARACTER * (long) text.length() + BYTES_OF_SHORT;
    for (Call call : calls) {
      bytes += call.bytes();
    }
    return bytes;
  }

  /** Makes the calls. */
  void on(PreparedStatement statement) throws Throwable {
    for (Call call : calls) {
      if (call != null) {
        call.on(statement);
      }
    }
  }

  /** The arguments, with copies of those that the application may change. */
  private static Object[] unchanging(Object[] arguments) {
    if (arguments.length == 2 && arguments[1] instanceof Number) {
      return arguments; // Made for this call, of values that never change.
    }
    Object[] copies = arguments.clone();
    for (int i = 1; i < copies.length; i++) {
      if (copies[i] instanceof byte[] bytes) {
        copies[i] = bytes.clone();
      } else if (copies[i] instanceof Timestamp timestamp) {
        copies[i] = timestamp.clone();
      } else if (copies[i] instanceof Date date) {
        copies[i] = date.clone();
      } else if (copies[i] instanceof Time time) {
        copies[i] = time.clone();
      } else if (copies[i] instanceof Calendar calendar) {
        copies[i] = calendar.clone();
      } else if (copies[i] instanceof Object[] values) {
        copies[i] = values.clone();
      } else if (copies[i] != null && copies[i].getClass().isArray()) {
        copies[i] = copyOfPrimitives(copies[i]);
      } else if (isPgObject(copies[i])) {
        copies[i] = copyOfPgObject(copies[i]);
      }
    }
    return copies;
  }

  private static Object copyOfPrimitives(Object array) {
    int length = java.lang.reflect.Array.getLength(array);
    Object copy = java.lang.reflect.Array.newInstance(array.getClass().getComponentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  /** How a value of a type of PostgreSQL's own, as JSON, is copied: the class is the driver's. */
  private static final ClassValue<Optional<Method>> COPIES =
      new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
          try {
            return type.getName().equals("org.postgresql.util.PGobject")
                ? Optional.of(type.getMethod("clone"))
                : Optional.empty();
          } catch (ReflectiveOperationException | RuntimeException e) {
            return Optional.empty();
          }
        }
      };

  /** Whether a value is one, and can be copied; those of classes that extend it are not. */
  private static boolean isPgObject(@Nullable Object value) {
    return value != null && COPIES.get(value.getClass()).isPresent();
  }

  /** A copy; of one that cannot be copied after all something that is not repeatable. */
  private static Object copyOfPgObject(Object value) {
    try {
      return COPIES.get(value.getClass()).orElseThrow().invoke(value);
    } catch (ReflectiveOperationException e) {
      return new Object();
    }
  }

  private static boolean isRepeatable(RealMethod method, @Nullable Object value) {
    return method.called() == Called.SET_NULL
        || value == null
        || value instanceof String
        || value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte
        || value instanceof Double
        || value instanceof Float
        || value instanceof Boolean
        || value instanceof BigDecimal
        || value instanceof BigInteger
        || value instanceof UUID
        || value instanceof byte[]
        || value instanceof Timestamp
        || value instanceof Date
        || value instanceof Time
        || (value instanceof Temporal && value.getClass().getName().startsWith("java.time."))
        || isPgObject(value)
        || isArrayOfUnchanging(value);
  }

  private static boolean isArrayOfUnchanging(Object value) {
    return value instanceof Object[] values
        ? Arrays.stream(values)
            .allMatch(
                each ->
                    each == null
                        || each instanceof String
                        || each instanceof Boolean
                        || each instanceof UUID
                        || each instanceof Long
                        || each instanceof Integer
                        || each instanceof Short
                        || each instanceof Double
                        || each instanceof Float
                        || each instanceof BigDecimal)
        : value.getClass().isArray();
  }
}
