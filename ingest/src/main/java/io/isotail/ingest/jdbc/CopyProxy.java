package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Failure;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Stands in for a COPY under way: its statement is answered when the copy is no longer active. */
final class CopyProxy extends ProxyHandler {
  /** What the server answers when the client gives a COPY up: query_canceled. */
  private static final Failure GIVEN_UP = new Failure("57014", 0);

  private final Method isActive;
  private final SessionCapture session;
  private final @Nullable StatementRun run;
  private boolean answered;

  /**
   * Stands in for a copy.
   *
   * @param type the interface of every copy
   */
  CopyProxy(Object real, Class<?> type, SessionCapture session, @Nullable StatementRun run) {
    super(real, type);
    this.session = session;
    this.run = run;
    this.isActive = methodOf(type, "isActive");
  }

  @Override
  @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = delegate(method, arguments);
    } catch (Throwable failure) {
      if (isOver()) {
        session.statementFailed(run, JdbcFailures.of(failure));
      }
      throw failure;
    }
    if (isOver()) {
      if (method.getName().equals("cancelCopy")) {
        session.statementFailed(run, GIVEN_UP);
      } else {
        session.afterUpdate(run, -1);
      }
    }
    return result;
  }

  /** Whether it ended with the call that was just made. */
  private boolean isOver() throws Throwable {
    if (answered || Boolean.TRUE.equals(delegate(isActive))) {
      return false;
    }
    answered = true;
    return true;
  }
}
