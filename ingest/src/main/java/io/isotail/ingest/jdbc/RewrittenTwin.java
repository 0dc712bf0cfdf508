package io.isotail.ingest.jdbc;

import io.isotail.ingest.jdbc.SetterCalls.Call;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rewritten form of a prepared statement, beside the form that the application has prepared. It
 * gets the same parameters and limits before each execution.
 *
 * <p>As long as a value is set that cannot be given to both, the statement is sent as the
 * application wrote it.
 */
final class RewrittenTwin {

  /** Prepares a text. */
  interface Preparing {
    PreparedStatement prepare(Sending sending) throws Throwable;
  }

  private final Preparing preparing;
  private final SetterCalls parameters = new SetterCalls();
  private List<Call> limits = List.of();
  private @Nullable PreparedStatement statement;
  private String text = "";

  RewrittenTwin(Preparing preparing) {
    this.preparing = preparing;
  }

  /** The application has called a setter of its own form, or {@code closeOnCompletion}. */
  void note(Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (name.equals("clearParameters")) {
      parameters.clear();
    } else if (name.startsWith("set") && arguments.length >= 2) {
      parameters.put(method, arguments);
    } else if (!name.equals("setCursorName")) {
      Call limit = new Call(method, arguments);
      List<Call> latest = new ArrayList<>(limits);
      latest.removeIf(call -> call.isOf(method));
      latest.add(limit);
      limits = latest;
      PreparedStatement open = statement;
      if (open != null) {
        limit.on(open); // It may be asked for them if it was executed last.
      }
    }
  }

  /** Whether the parameters can be given to it too. */
  boolean isUsable() {
    return parameters.areRepeatable();
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
      call.on(ready);
    }
    parameters.on(ready);
    return ready;
  }

  /** The parameters as they are, which make an element of a batch; null if it cannot have them. */
  @Nullable List<Call> element() {
    return isUsable() ? parameters.all() : null;
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
          element.get(i).on(filled);
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
}
