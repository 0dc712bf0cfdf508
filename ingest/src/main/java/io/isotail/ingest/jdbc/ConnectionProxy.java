package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Stands in for a connection. */
final class ConnectionProxy extends ProxyHandler {
  private static final Method PREPARE_WITH_KEYS =
      methodOf(Connection.class, "prepareStatement", String.class, int.class);

  /** Stands for a text that is null: the driver refuses it. */
  private static final String NO_TEXT = "";

  /** What sends no statement, and some of which may be called while another thread waits. */
  private static final Set<String> SENDING_NOTHING =
      Set.of(
          // of java.sql.Connection
          "isClosed",
          "getAutoCommit",
          "getWarnings",
          "clearWarnings",
          "isReadOnly",
          "setReadOnly",
          "getHoldability",
          "setHoldability",
          "getCatalog",
          "setCatalog",
          "getTransactionIsolation",
          "getTypeMap",
          "nativeSQL",
          "isValid",
          "setNetworkTimeout",
          "getNetworkTimeout",
          "toString",
          // of pgjdbc's interfaces
          "addDataType",
          "cancelQuery",
          "escapeIdentifier",
          "escapeLiteral",
          "getAutosave",
          "setAutosave",
          "getAdaptiveFetch",
          "setAdaptiveFetch",
          "getBackendPID",
          "getDefaultFetchSize",
          "setDefaultFetchSize",
          "getEncoding",
          "getNotifications",
          "getParameterStatus",
          "getParameterStatuses",
          "getPrepareThreshold",
          "setPrepareThreshold",
          "getPreferQueryMode",
          "getQueryTimeout",
          "setQueryTimeout",
          "getTransactionState",
          "haveMinimumServerVersion");

  private final SessionCapture session;
  private final PreparedTexts texts;
  private @Nullable PostgresSettings postgres;
  private final Map<String, Object> helpers = new ConcurrentHashMap<>();

  ConnectionProxy(Connection real, SessionCapture session) {
    super(real, Connection.class);
    this.session = session;
    this.texts = new PreparedTexts(session);
  }

  Connection connection() {
    return (Connection) proxy();
  }

  SessionCapture session() {
    return session;
  }

  /** The settings of the real driver, if it is PostgreSQL's. */
  PostgresSettings postgres() {
    PostgresSettings known = postgres;
    if (known == null) {
      known = PostgresSettings.of((Connection) real());
      postgres = known;
    }
    return known;
  }

  @Override
  @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "createStatement" -> {
        return statement(method, arguments, Statement.class);
      }
      case "prepareStatement" -> {
        return statement(method, arguments, PreparedStatement.class);
      }
      case "prepareCall" -> {
        return statement(method, arguments, CallableStatement.class);
      }
      case "commit" -> {
        return commit(method, arguments);
      }
      case "rollback" -> {
        return rollback(method, arguments);
      }
      case "setAutoCommit" -> {
        return setAutoCommit(method, arguments);
      }
      case "setSavepoint" -> {
        session.touch();
        Object savepoint = delegate(method, arguments);
        if (savepoint != null) {
          session.savepointSet(savepoint);
        }
        return savepoint;
      }
      case "releaseSavepoint" -> {
        Object result = delegate(method, arguments);
        session.savepointReleased(arguments[0]);
        return result;
      }
      case "setTransactionIsolation" -> {
        Object result = delegate(method, arguments);
        session.isolationSet(JdbcIsolation.sqlName((Integer) arguments[0]));
        return result;
      }
      case "setSchema" -> {
        session.touch();
        Object result = delegate(method, arguments);
        session.schemaSet((String) arguments[0]);
        return result;
      }
      case "close", "abort" -> {
        try {
          return delegate(method, arguments);
        } finally {
          session.closed();
        }
      }
      case "getMetaData" -> {
        DatabaseMetaData real = (DatabaseMetaData) delegate(method, arguments);
        return real == null ? null : new MetaDataProxy(real, this).proxy();
      }
      case "getCopyAPI", "getFastpathAPI" -> {
        return helper(method, arguments);
      }
      case "getQueryExecutor" -> {
        Object real = delegate(method, arguments);
        return real == null
            ? null
            : new ExecutorProxy(real, method.getReturnType(), session).proxy();
      }
      case "execSQLQuery", "execSQLUpdate" -> {
        return executed(method, arguments);
      }
      default -> {
        if (!SENDING_NOTHING.contains(method.getName())) {
          session.touch();
        }
        return delegate(method, arguments);
      }
    }
  }

  /** A pool's connection stands before another one, whose use must be seen too. */
  @Override
  @Nullable Object unwrapped(Class<?> type, @Nullable Object behind) {
    return type.isInterface() && behind instanceof Connection connection
        ? new ConnectionProxy(connection, session).proxy()
        : behind;
  }

  /** What sends statements of its own, made so that they are seen; the same each time. */
  private @Nullable Object helper(Method method, Object[] arguments) throws Throwable {
    Object known = helpers.get(method.getName());
    if (known != null) {
      return known;
    }
    Object real = delegate(method, arguments);
    if (real == null) {
      return null;
    }
    Object seen = ExecutorProxy.over(proxy(), real);
    helpers.put(method.getName(), seen);
    return seen;
  }

  /** A statement that the connection itself sends, of which the rows are not followed. */
  private @Nullable Object executed(Method method, Object[] arguments) throws Throwable {
    StatementRun run =
        session.beforeStatement(
            session.analyze((String) arguments[0], false), SessionCapture::noParameter);
    try {
      Object rows = delegate(method, arguments);
      if (rows == null) {
        session.afterUpdate(run, -1);
      } else {
        session.afterQuery(run);
      }
      return rows;
    } catch (Throwable failure) {
      session.statementFailed(run, JdbcFailures.of(failure));
      throw failure;
    }
  }

  private @Nullable Object statement(
      Method method, Object[] arguments, Class<? extends Statement> type) throws Throwable {
    if (type == PreparedStatement.class) {
      return prepared(method, arguments);
    }
    Object real = delegate(method, arguments);
    if (real == null) {
      return null;
    }
    Sending sending =
        type == Statement.class
            ? null
            : Sending.asItIs(session, (String) arguments[0], Placeholders.QUESTION_MARKS, null);
    return new StatementProxy((Statement) real, type, this, sending, null).proxy();
  }

  private @Nullable Object prepared(Method method, Object[] arguments) throws Throwable {
    String text = arguments[0] instanceof String told ? told : NO_TEXT;
    Sending plain = texts.asItIs(text);
    Rewriting rewriting = plain.sql().rewriting();
    AskedKeys keys =
        arguments.length == 2 && rewriting != null
            ? AskedKeys.of(arguments[1], postgres())
            : AskedKeys.NONE;
    Sending asItIs =
        keys.list() == null
            ? plain
            : Sending.asItIs(session, text, Placeholders.QUESTION_MARKS, keys.list());
    TwoForms forms =
        keys.isTold() && mayRewrite(rewriting, arguments)
            ? new TwoForms(
                () -> (PreparedStatement) Objects.requireNonNull(delegate(method, arguments)),
                sending -> rewritten(method, arguments, sending))
            : null;
    Object real =
        forms == null ? delegate(method, arguments) : forms.first(asItIs.probable(session));
    return real == null
        ? null
        : new StatementProxy((Statement) real, PreparedStatement.class, this, asItIs, forms)
            .proxy();
  }

  /**
   * Whether a prepared statement can have a rewritten form, by what follows its text: nothing, what
   * is wanted of generated keys, or the type and the concurrency of its results.
   */
  private static boolean mayRewrite(@Nullable Rewriting rewriting, Object[] arguments) {
    if (rewriting == null || arguments.length <= 2) {
      return rewriting != null;
    }
    boolean readOnly = arguments[2].equals(ResultSet.CONCUR_READ_ONLY);
    boolean forwardOnly = arguments[1].equals(ResultSet.TYPE_FORWARD_ONLY);
    return readOnly && (forwardOnly || !rewriting.isWrite());
  }

  private PreparedStatement rewritten(Method method, Object[] arguments, Sending sending)
      throws Throwable {
    if (sending.keys() != Sending.Keys.NONE) {
      return (PreparedStatement)
          Objects.requireNonNull(
              delegate(PREPARE_WITH_KEYS, sending.text(), Statement.RETURN_GENERATED_KEYS));
    }
    Object[] changed = arguments.clone();
    changed[0] = sending.text();
    return (PreparedStatement) Objects.requireNonNull(delegate(method, changed));
  }

  private @Nullable Object commit(Method method, Object[] arguments) throws Throwable {
    if (session.autoCommit()) {
      return delegate(method, arguments);
    }
    session.beforeCommit();
    try {
      Object result = delegate(method, arguments);
      session.committed();
      return result;
    } catch (Throwable failure) {
      session.commitFailed(JdbcFailures.of(failure));
      throw failure;
    }
  }

  private @Nullable Object rollback(Method method, Object[] arguments) throws Throwable {
    if (arguments.length == 1 && arguments[0] instanceof Savepoint savepoint) {
      Object result = delegate(method, arguments);
      session.rolledBackTo(savepoint);
      return result;
    }
    if (session.autoCommit()) {
      return delegate(method, arguments);
    }
    try {
      return delegate(method, arguments);
    } finally {
      session.rolledBack();
    }
  }

  private @Nullable Object setAutoCommit(Method method, Object[] arguments) throws Throwable {
    boolean on = (Boolean) arguments[0];
    boolean commits = session.switchCommits(on);
    if (commits) {
      session.beforeCommit();
    }
    try {
      Object result = delegate(method, arguments);
      session.autoCommitSet(on);
      return result;
    } catch (Throwable failure) {
      if (commits) {
        session.commitFailed(JdbcFailures.of(failure));
      }
      throw failure;
    }
  }
}
