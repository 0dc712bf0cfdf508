package io.isotail.ingest.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rewritten form of a prepared statement, beside the form that the application has prepared. It
 * gets the same parameters and limits before each execution.
 *
 * <p>A value that can be read only once, or that may change after it was set, cannot be given to
 * both: as long as one is set, the statement is sent as the application wrote it.
 */
final class RewrittenTwin {

  /** Prepares a text. */
  interface Preparing {
    PreparedStatement prepare(Sending sending) throws Throwable;
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Call(Method method, Object[] arguments) {}

  private final Preparing preparing;
  private final Map<Object, Call> parameters = new LinkedHashMap<>();
  private final List<Call> limits = new ArrayList<>();
  private @Nullable PreparedStatement statement;
  private int unrepeatable;

  RewrittenTwin(Preparing preparing) {
    this.preparing = preparing;
  }

  /** The application has called a setter of its own form. */
  void note(Method method, Object[] arguments) {
    String name = method.getName();
    if (name.equals("clearParameters")) {
      parameters.clear();
      unrepeatable = 0;
    } else if (name.startsWith("set") && arguments.length >= 2) {
      Call before = parameters.put(arguments[0], new Call(method, arguments));
      unrepeatable -= before != null && !isRepeatable(before) ? 1 : 0;
      unrepeatable += isRepeatable(new Call(method, arguments)) ? 0 : 1;
    } else if (name.startsWith("set") && !name.equals("setCursorName")) {
      limits.removeIf(call -> call.method().equals(method));
      limits.add(new Call(method, arguments));
    }
  }

  /** Whether the parameters can be given to it too. */
  boolean isUsable() {
    return unrepeatable == 0;
  }

  private static boolean isRepeatable(Call call) {
    Object value = call.arguments()[1];
    return call.method().getName().equals("setNull")
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
        || (value instanceof Temporal && value.getClass().getName().startsWith("java.time."));
  }

  /** The statement, prepared if need be, with the application's parameters and limits. */
  PreparedStatement ready(Sending sending) throws Throwable {
    PreparedStatement ready = statement;
    if (ready == null) {
      ready = preparing.prepare(sending);
      statement = ready;
    }
    for (Call call : limits) {
      apply(call, ready);
    }
    for (Call call : parameters.values()) {
      apply(call, ready);
    }
    return ready;
  }

  void close() throws SQLException {
    PreparedStatement open = statement;
    if (open != null) {
      statement = null;
      open.close();
    }
  }

  private static void apply(Call call, PreparedStatement statement) throws Throwable {
    try {
      call.method().invoke(statement, call.arguments());
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
