package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
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
  ExecutorProxy(Object real, Class<?> type, SessionCapture session) {
    super(real, type);
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
  @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "startCopy" -> copy(method, arguments);
      case "fastpathCall" -> unseen(session.beforeUnseenWrite(method.getName()), method, arguments);
      case "execute" -> unseen(session.beforeUnseenStatements(), method, arguments);
      default -> delegate(method, arguments);
    };
  }

  private @Nullable Object copy(Method method, Object[] arguments) throws Throwable {
    StatementRun run =
        session.beforeStatement(
            session.analyze((String) arguments[0], false), SessionCapture::noParameter);
    try {
      Object copy = delegate(method, arguments);
      return copy == null
          ? null
          : new CopyProxy(copy, method.getReturnType(), session, run).proxy();
    } catch (Throwable failure) {
      session.statementFailed(run, JdbcFailures.of(failure));
      throw failure;
    }
  }

  private @Nullable Object unseen(@Nullable StatementRun run, Method method, Object[] arguments)
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
