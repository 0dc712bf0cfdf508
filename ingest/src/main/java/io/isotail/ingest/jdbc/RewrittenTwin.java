package io.isotail.ingest.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rewritten form of a prepared statement, beside the form that the application has prepared. It
 * gets the same parameters and limits before each execution.
 *
 * <p>A value that can be read only once, or that may change after it was set and cannot be copied,
 * cannot be given to both: as long as one is set, the statement is sent as the application wrote
 * it.
 */
final class RewrittenTwin {

  /** Prepares a text. */
  interface Preparing {
    PreparedStatement prepare(Sending sending) throws Throwable;
  }

  /** A call of a setter, with values that nobody changes. */
  static final class Call {
    private final Method method;
    private final Object[] arguments;

    Call(Method method, Object[] arguments) {
      this.method = method;
      this.arguments = arguments;
    }
  }

  private final Preparing preparing;
  private final Map<Object, Call> parameters = new LinkedHashMap<>();
  private final List<Call> limits = new ArrayList<>();
  private @Nullable PreparedStatement statement;
  private String text = "";
  private int unrepeatable;

  RewrittenTwin(Preparing preparing) {
    this.preparing = preparing;
  }

  /** The application has called a setter of its own form, or {@code closeOnCompletion}. */
  void note(Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (name.equals("clearParameters")) {
      parameters.clear();
      unrepeatable = 0;
    } else if (name.startsWith("set") && arguments.length >= 2) {
      Call call = new Call(method, unchanging(arguments));
      Call before = parameters.put(arguments[0], call);
      unrepeatable -= before != null && !isRepeatable(before) ? 1 : 0;
      unrepeatable += isRepeatable(call) ? 0 : 1;
    } else if (!name.equals("setCursorName")) {
      Call limit = new Call(method, arguments);
      limits.removeIf(call -> call.method.equals(method));
      limits.add(limit);
      PreparedStatement open = statement;
      if (open != null) {
        apply(limit, open); // It may be asked for them if it was executed last.
      }
    }
  }

  /** Whether the parameters can be given to it too. */
  boolean isUsable() {
    return unrepeatable == 0;
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
      }
    }
    return copies;
  }

  private static boolean isRepeatable(Call call) {
    Object value = call.arguments[1];
    return call.method.getName().equals("setNull")
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
        || (value instanceof Temporal && value.getClass().getName().startsWith("java.time."));
  }

  /** The statement, prepared if need be, with the application's parameters and limits. */
  PreparedStatement ready(Sending sending) throws Throwable {
    PreparedStatement ready = statement;
    if (ready == null || !text.equals(sending.text())) {
      close();
      ready = preparing.prepare(sending);
      statement = ready;
      text = sending.text();
    }
    for (Call call : limits) {
      apply(call, ready);
    }
    for (Call call : parameters.values()) {
      apply(call, ready);
    }
    return ready;
  }

  /** The parameters as they are, which make an element of a batch; null if it cannot have them. */
  @Nullable List<Call> element() {
    return isUsable() ? List.copyOf(parameters.values()) : null;
  }

  /**
   * The statement with a batch of these elements, as it is to be executed.
   *
   * @param elements the parameters of each
   */
  PreparedStatement filled(Sending sending, List<List<Call>> elements) throws Throwable {
    PreparedStatement filled = ready(sending);
    filled.clearBatch();
    List<Call> before = List.of();
    for (List<Call> element : elements) {
      for (int i = 0; i < element.size(); i++) {
        // A call that stands unchanged is that of the element before.
        if (i >= before.size() || before.get(i) != element.get(i)) {
          apply(element.get(i), filled);
        }
      }
      filled.addBatch();
      before = element;
    }
    return filled;
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
      call.method.invoke(statement, call.arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
