package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Failure;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import org.jspecify.annotations.Nullable;

/** Stands in for a COPY under way: its statement is answered when the copy is no longer active. */
final class CopyProxy extends ProxyHandler {
  /** What the server answers when the client gives a COPY up: query_canceled. */
  private static final Failure GIVEN_UP = new Failure("57014", 0);

  private final RealMethod isActive;
  private final SessionCapture session;
  private final @Nullable StatementRun run;
  private boolean answered;

  /**
   * Stands in for a copy.
   *
   * @param type the interface of every copy
   */
  CopyProxy(
      Object real,
      Class<?> type,
      RealClasses classes,
      SessionCapture session,
      @Nullable StatementRun run) {
    super(real, type, classes);
    this.session = session;
    this.run = run;
    this.isActive = isActive(real.getClass(), type);
  }

  private static RealMethod isActive(Class<?> real, Class<?> type) {
    try {
      return new RealMethod(real, type.getMethod("isActive"));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("a copy without isActive: " + type.getName(), e);
    }
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
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
      if (method.called() == Called.CANCEL_COPY) {
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
