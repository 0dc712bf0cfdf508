package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for pgjdbc's executor, by which its own helpers reach the server without a statement:
 * {@code CopyManager}, {@code Fastpath}. What they send is followed as if it were a statement: a
 * COPY by its text, a function and a query as what may write anything.
 */
final class ExecutorProxy extends ProxyHandler {
  private final SessionCapture session;

  /**
   * Stands in for an executor.
   *
   * @param type the interface as which the application gets it
   */
  ExecutorProxy(Object real, Class<?> type, RealClasses classes, SessionCapture session) {
    super(real, type, classes);
    this.session = session;
  }

  /**
   * A helper of the real connection, made again so that it works through a stand-in for it.
   *
   * @param helper as the real connection made it, with a constructor that takes a connection
   */
  static Object over(Object connection, Object helper) throws ReflectiveOperationException {
    for (Constructor<?> each : helper.getClass().getConstructors()) {
      if (each.getParameterCount() == 1 && each.getParameterTypes()[0].isInstance(connection)) {
        return each.newInstance(connection);
      }
    }
    throw new NoSuchMethodException(helper.getClass().getName() + " takes no connection");
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
    return switch (method.called()) {
      case START_COPY -> copy(method, arguments);
      case CALL_FUNCTION -> unseen(session.beforeUnseenWrite(method.name()), method, arguments);
      case EXECUTE -> unseen(session.beforeUnseenStatements(), method, arguments);
      default -> delegate(method, arguments);
    };
  }

  private @Nullable Object copy(RealMethod method, Object[] arguments) throws Throwable {
    StatementRun run =
        session.beforeStatement(
            session.analyze((String) arguments[0], false), SessionCapture::noParameter);
    try {
      Object copy = delegate(method, arguments);
      return copy == null
          ? null
          : new CopyProxy(copy, method.returns(), classes(), session, run).proxy();
    } catch (Throwable failure) {
      session.statementFailed(run, JdbcFailures.of(failure));
      throw failure;
    }
  }

  private @Nullable Object unseen(@Nullable StatementRun run, RealMethod method, Object[] arguments)
      throws Throwable {
    try {
      Object answer = delegate(method, arguments);
      session.afterUpdate(run, -1);
      return answer;
    } catch (Throwable failure) {
      session.statementFailed(run, JdbcFailures.of(failure));
      throw failure;
    }
  }
}
