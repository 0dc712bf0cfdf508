package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Server.TransactionState;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What the real driver knows of its connection from the server's last reply, without asking. */
interface TransactionProbe {

  /** The state after the last reply. */
  TransactionState state();

  /** Process id of the backend, 0 when unknown. */
  int backendPid();

  /**
   * The probe of a connection: PostgreSQL's if its driver is there, else one that knows nothing.
   */
  static TransactionProbe of(Connection real) {
    TransactionProbe probe = PostgresProbe.of(real);
    return probe == null ? new Blind() : probe;
  }

  /** Knows nothing. */
  final class Blind implements TransactionProbe {
    @Override
    public TransactionState state() {
      return TransactionState.UNKNOWN;
    }

    @Override
    public int backendPid() {
      return 0;
    }
  }

  /** Asks pgjdbc, through reflection because the application may not have it. */
  final class PostgresProbe implements TransactionProbe {
    private final Object connection;
    private final Method transactionState;
    private final Method backendPid;

    private PostgresProbe(Class<?> type, Object connection) throws ReflectiveOperationException {
      this.connection = connection;
      this.transactionState = type.getMethod("getTransactionState");
      this.backendPid = type.getMethod("getBackendPID");
    }

    static @Nullable TransactionProbe of(Connection real) {
      try {
        ClassLoader loader = real.getClass().getClassLoader();
        Class<?> type = Class.forName("org.postgresql.core.BaseConnection", false, loader);
        if (!real.isWrapperFor(type)) {
          return null;
        }
        PostgresProbe probe = new PostgresProbe(type, real.unwrap(type));
        return probe.state() == TransactionState.UNKNOWN ? null : probe;
      } catch (ReflectiveOperationException | SQLException | LinkageError e) {
        return null;
      }
    }

    @Override
    public TransactionState state() {
      return switch (String.valueOf(ask(transactionState))) {
        case "IDLE" -> TransactionState.IDLE;
        case "OPEN" -> TransactionState.OPEN;
        case "FAILED" -> TransactionState.FAILED;
        default -> TransactionState.UNKNOWN;
      };
    }

    @Override
    public int backendPid() {
      return ask(backendPid) instanceof Integer pid ? pid : 0;
    }

    private @Nullable Object ask(Method method) {
      try {
        return method.invoke(connection);
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }
  }
}
