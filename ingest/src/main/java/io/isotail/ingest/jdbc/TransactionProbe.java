package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.DatabaseCopy;
import io.isotail.ingest.capture.Server.TransactionState;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the real driver knows of its connection from the server's last reply, without asking. */
interface TransactionProbe {

  /** The state after the last reply. */
  TransactionState state();

  /** Process id of the backend, 0 when unknown. */
  int backendPid();

  /** Which copy of the database the server has reported to be. */
  default DatabaseCopy copy() {
    return DatabaseCopy.NOT_TOLD;
  }

  /** Host and port that it is connected to; null if that is not told. */
  default @Nullable String host() {
    return null;
  }

  /** What the connection calls its application; null if that is not told. */
  default @Nullable String applicationName() {
    return null;
  }

  /** Whether the driver sets savepoints of its own around statements. */
  default boolean setsSavepoints() {
    return false;
  }

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
    /** What pgjdbc sends unless somebody says otherwise. */
    private static final String NOT_NAMED = "PostgreSQL JDBC Driver";

    private final Object connection;
    private final Method transactionState;

    /** By the places of what the driver calls them. */
    private final List<TransactionState> states;

    private final Method backendPid;
    private final Method autosave;
    private final Method queryExecutor;
    private final @Nullable Method parameterStatus;

    private PostgresProbe(Class<?> type, Object connection) throws ReflectiveOperationException {
      this.connection = connection;
      this.transactionState = method(type, "getTransactionState");
      this.states = states(transactionState.getReturnType());
      this.backendPid = method(type, "getBackendPID");
      this.autosave = method(type, "getAutosave");
      this.queryExecutor = method(type, "getQueryExecutor");
      this.parameterStatus = parameterStatus(type);
    }

    private static List<TransactionState> states(Class<?> type) {
      Object[] all = type.getEnumConstants();
      return all == null ? List.of() : Arrays.stream(all).map(PostgresProbe::state).toList();
    }

    private static TransactionState state(Object told) {
      return switch (told.toString()) {
        case "IDLE" -> TransactionState.IDLE;
        case "OPEN" -> TransactionState.OPEN;
        case "FAILED" -> TransactionState.FAILED;
        default -> TransactionState.UNKNOWN;
      };
    }

    /** A method of the connection that is not checked for access in each call. */
    private Method method(Class<?> type, String name, Class<?>... parameters)
        throws NoSuchMethodException {
      return UncheckedAccess.ofClass(connection.getClass(), type.getMethod(name, parameters));
    }

    /** Drivers before 42.2.6 have none. */
    private @Nullable Method parameterStatus(Class<?> type) {
      try {
        return method(type, "getParameterStatus", String.class);
      } catch (NoSuchMethodException e) {
        return null;
      }
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
      } catch (ReflectiveOperationException | SQLException | LinkageError | ClassCastException e) {
        return null; // SQLite's driver says that it wraps what it cannot unwrap.
      }
    }

    @Override
    public TransactionState state() {
      return ask(transactionState) instanceof Enum<?> told && told.ordinal() < states.size()
          ? states.get(told.ordinal())
          : TransactionState.UNKNOWN;
    }

    @Override
    public int backendPid() {
      return ask(backendPid) instanceof Integer pid ? pid : 0;
    }

    @Override
    public @Nullable String host() {
      try {
        ClassLoader loader = connection.getClass().getClassLoader();
        Class<?> type = Class.forName("org.postgresql.core.QueryExecutor", false, loader);
        Object host = type.getMethod("getHostSpec").invoke(ask(queryExecutor));
        return host == null ? null : host.toString();
      } catch (ReflectiveOperationException | LinkageError e) {
        return null;
      }
    }

    /** Servers before 14 do not report it. */
    @Override
    public DatabaseCopy copy() {
      String told = parameter("in_hot_standby");
      if (told == null) {
        return DatabaseCopy.NOT_TOLD;
      }
      return told.equals("on") ? DatabaseCopy.STANDBY : DatabaseCopy.PRIMARY;
    }

    @Override
    public @Nullable String applicationName() {
      String name = parameter("application_name");
      return NOT_NAMED.equals(name) ? null : name;
    }

    private @Nullable String parameter(String name) {
      Method status = parameterStatus;
      return status != null && ask(status, name) instanceof String told ? told : null;
    }

    @Override
    public boolean setsSavepoints() {
      return !"NEVER".equals(String.valueOf(ask(autosave)));
    }

    private @Nullable Object ask(Method method, Object... arguments) {
      try {
        return method.invoke(connection, arguments);
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }
  }
}
