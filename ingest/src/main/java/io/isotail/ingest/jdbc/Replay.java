package io.isotail.ingest.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What it takes to go on with the application's own text in the place of a rewritten one: the calls
 * that have set parameters and limits of the prepared statement so far.
 *
 * <p>In autocommit mode the driver decides how much of a batch is one transaction, by what each
 * element answers with. So elements are sent there as the application wrote them.
 */
final class Replay {

  /** Prepares the application's own text. */
  interface Preparing {
    PreparedStatement prepare() throws Throwable;
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Call(Method method, Object[] arguments) {}

  private final Preparing preparing;
  private final Sending plain;
  private final Map<Object, Call> parameters = new LinkedHashMap<>();
  private final List<Call> limits = new ArrayList<>();

  Replay(Preparing preparing, Sending plain) {
    this.preparing = preparing;
    this.plain = plain;
  }

  /** How the statement is followed from then on. */
  Sending plain() {
    return plain;
  }

  /** The application has called a method of the statement. */
  void note(Method method, Object[] arguments) {
    String name = method.getName();
    if (name.equals("clearParameters")) {
      parameters.clear();
    } else if (name.startsWith("set") && arguments.length >= 2) {
      parameters.put(arguments[0], new Call(method, arguments));
    } else if (name.startsWith("set") || name.equals("closeOnCompletion")) {
      limits.removeIf(call -> call.method().equals(method));
      limits.add(new Call(method, arguments));
    }
  }

  /** Prepares the application's own text as far as the rewritten one is prepared. */
  PreparedStatement prepare() throws Throwable {
    PreparedStatement statement = preparing.prepare();
    for (Call call : limits) {
      apply(call, statement);
    }
    for (Call call : parameters.values()) {
      apply(call, statement);
    }
    return statement;
  }

  private static void apply(Call call, PreparedStatement statement) throws Throwable {
    try {
      call.method().invoke(statement, call.arguments());
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
