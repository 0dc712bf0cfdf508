package io.isotail.ingest.jdbc;

import io.isotail.ingest.jdbc.SetterCalls.Call;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement in two forms: as the application wrote it, which is its own form, and
 * rewritten. Both have the same parameters and limits when they are executed.
 *
 * <p>To prepare and to fill a statement twice costs twice as much, so that the form that is not
 * needed is not made: where the statement will probably be sent rewritten, that form is prepared at
 * once, and the own form only when something is asked of it.
 *
 * <p>As long as a value is set that cannot be given to both, the statement is sent as the
 * application wrote it.
 */
final class TwoForms {

  /** Prepares the forms. */
  interface Preparing {
    PreparedStatement own() throws Throwable;

    PreparedStatement rewritten(Sending sending) throws Throwable;
  }

  private final Preparing preparing;
  private final SetterCalls parameters = new SetterCalls();
  private List<Call> limits = List.of();
  private @Nullable PreparedStatement own;
  private @Nullable PreparedStatement rewritten;
  private @Nullable Sending sent;

  /** Whether the rewritten form has all parameters. */
  private boolean upToDate;

  private boolean closed;

  TwoForms(Preparing preparing) {
    this.preparing = preparing;
  }

  /** Prepares the form that will probably be sent. */
  PreparedStatement first(Sending probable) throws Throwable {
    if (probable.isRewritten()) {
      try {
        PreparedStatement made = prepared(probable);
        upToDate = true;
        return made;
      } catch (SQLException e) {
        // The own form tells the application what there is to tell.
      }
    }
    return own();
  }

  private PreparedStatement prepared(Sending sending) throws Throwable {
    PreparedStatement made = preparing.rewritten(sending);
    rewritten = made;
    sent = sending;
    upToDate = false;
    for (Call call : limits) {
      call.on(made);
    }
    return made;
  }

  /** The own form, made if need be; of a closed statement the form that there is. */
  PreparedStatement own() throws Throwable {
    PreparedStatement known = own;
    if (known == null && closed) {
      return Objects.requireNonNull(rewritten);
    }
    if (known == null) {
      known = preparing.own();
      own = known;
      for (Call call : limits) {
        call.on(known);
      }
      parameters.on(known);
    }
    return known;
  }

  /** The own form if it was made. */
  @Nullable PreparedStatement ownIfMade() {
    return own;
  }

  /** How a form is sent if it is the rewritten one; null otherwise. */
  @Nullable Sending sentBy(Statement form) {
    return form == rewritten ? sent : null;
  }

  /**
   * Whether a setter is to be called on the rewritten form alone: there is no other one, and the
   * call can be made again when there is.
   */
  boolean sets(RealMethod method, Object[] arguments) {
    return own == null && SetterCalls.isRepeatable(method, arguments);
  }

  /** The application has called a setter, or {@code closeOnCompletion}, and it was passed on. */
  void note(RealMethod method, Object[] arguments) throws Throwable {
    PreparedStatement open = own == null ? null : rewritten;
    if (method.called() == Called.CLEAR_PARAMETERS) {
      parameters.clear();
      if (open != null) {
        open.clearParameters();
      }
    } else if (method.isSetter() && arguments.length >= 2) {
      parameters.put(method, arguments);
      upToDate &= own == null;
    } else if (method.called() != Called.SET_CURSOR_NAME) {
      Call limit = new Call(method, arguments);
      List<Call> latest = new ArrayList<>(limits);
      latest.removeIf(call -> call.isOf(method));
      latest.add(limit);
      limits = latest;
      if (open != null) {
        limit.on(open); // It may be asked for them if it was executed last.
      }
    }
  }

  /** Whether the parameters can be given to the rewritten form too. */
  boolean isUsable() {
    return !closed && parameters.areRepeatable();
  }

  /** The rewritten form, prepared if need be, with the application's parameters and limits. */
  PreparedStatement ready(Sending sending) throws Throwable {
    PreparedStatement ready = rewritten;
    if (ready == null || sent == null || !sent.text().equals(sending.text())) {
      closeRewritten();
      ready = prepared(sending);
    }
    if (!upToDate) {
      parameters.on(ready);
      upToDate = true;
    }
    return ready;
  }

  /** The parameters as they are, which make an element of a batch; null if it cannot have them. */
  @Nullable List<Call> element() {
    return parameters.areKept() ? calls() : null;
  }

  /** The parameters as they are; null if they cannot be set again. */
  @Nullable List<Call> calls() {
    return isUsable() ? parameters.all() : null;
  }

  /**
   * The rewritten form with a batch of these elements, as it is to be executed.
   *
   * @param elements the parameters of each
   */
  PreparedStatement filled(Sending sending, List<List<Call>> elements) throws Throwable {
    PreparedStatement filled = ready(sending);
    upToDate = false;
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

  /** Closes both forms, as the application has asked to. */
  void close() throws SQLException {
    closed = true;
    try {
      if (own != null) {
        own.close();
      }
    } finally {
      if (rewritten != null) {
        rewritten.close();
      }
    }
  }

  private void closeRewritten() throws SQLException {
    PreparedStatement open = rewritten;
    if (open != null) {
      rewritten = null;
      open.close();
    }
  }
}
