package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.Placeholders;
import io.isotail.ingest.sql.Rewriting;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Stands in for a connection. */
final class ConnectionProxy extends ProxyHandler {
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

  private final Connection realConnection;
  private final SessionCapture session;
  private final StatementListener listener;
  private final PreparedTexts texts;
  private @Nullable PostgresSettings postgres;
  private @Nullable StoredNames names;
  private final Map<String, Object> helpers = new ConcurrentHashMap<>();

  ConnectionProxy(Connection real, SessionCapture session, StatementListener listener) {
    this(real, session, listener, new RealClasses());
  }

  private ConnectionProxy(
      Connection real, SessionCapture session, StatementListener listener, RealClasses classes) {
    super(real, Connection.class, classes);
    this.realConnection = real;
    this.session = session;
    this.listener = listener;
    this.texts = new PreparedTexts(session);
  }

  Connection connection() {
    return (Connection) proxy();
  }

  SessionCapture session() {
    return session;
  }

  /** Whether somebody wants to be told what is sent. */
  boolean isListenedTo() {
    return listener.listens();
  }

  /** Tells who listens what is about to be sent. */
  SentStatement sending(Sending sending, @Nullable List<SetterCalls.Call> parameters) {
    SentStatement sent =
        new SentStatement(
            sending.told().around(sending.told().statement()),
            sending.sql().fingerprint(),
            sending.sql().analysis().mayWrite(),
            parameters);
    listener.sending(session.id(), session.autoCommit(), sent);
    return sent;
  }

  private void ended() {
    if (isListenedTo()) {
      listener.ended(session.id());
    }
  }

  /** How the database stores names. */
  StoredNames names() {
    StoredNames known = names;
    if (known == null) {
      known = StoredNames.of(realConnection);
      names = known;
    }
    return known;
  }

  /** The settings of the real driver, if it is PostgreSQL's. */
  PostgresSettings postgres() {
    PostgresSettings known = postgres;
    if (known == null) {
      known = PostgresSettings.of(realConnection);
      postgres = known;
    }
    return known;
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
    switch (method.called()) {
      case CREATE_STATEMENT -> {
        return statement(method, arguments, Statement.class);
      }
      case PREPARE_STATEMENT -> {
        return statement(method, arguments, PreparedStatement.class);
      }
      case PREPARE_CALL -> {
        return statement(method, arguments, CallableStatement.class);
      }
      case COMMIT -> {
        return commit(method, arguments);
      }
      case ROLLBACK -> {
        return rollback(method, arguments);
      }
      case SET_AUTO_COMMIT -> {
        return setAutoCommit(method, arguments);
      }
      case SET_SAVEPOINT -> {
        session.touch();
        Object savepoint = delegate(method, arguments);
        if (savepoint != null) {
          session.savepointSet(savepoint);
        }
        return savepoint;
      }
      case RELEASE_SAVEPOINT -> {
        Object result = delegate(method, arguments);
        session.savepointReleased(arguments[0]);
        return result;
      }
      case SET_TRANSACTION_ISOLATION -> {
        Object result = delegate(method, arguments);
        session.isolationSet(JdbcIsolation.sqlName((Integer) arguments[0]));
        return result;
      }
      case SET_SCHEMA -> {
        session.touch();
        Object result = delegate(method, arguments);
        session.schemaSet((String) arguments[0]);
        return result;
      }
      case CLOSE, ABORT -> {
        if (method.called() == Called.CLOSE) {
          session.beforeClose();
        }
        try {
          return delegate(method, arguments);
        } finally {
          session.closed();
          ended();
        }
      }
      case GET_META_DATA -> {
        DatabaseMetaData real = (DatabaseMetaData) delegate(method, arguments);
        return real == null ? null : new MetaDataProxy(real, this).proxy();
      }
      case GET_HELPER -> {
        return helper(method, arguments);
      }
      case GET_QUERY_EXECUTOR -> {
        Object real = delegate(method, arguments);
        return real == null
            ? null
            : new ExecutorProxy(real, method.returns(), classes(), session).proxy();
      }
      case EXECUTE_SQL -> {
        return executed(method, arguments);
      }
      default -> {
        if (!SENDING_NOTHING.contains(method.name())) {
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
        ? new ConnectionProxy(connection, session, listener, classes()).proxy()
        : behind;
  }

  /** What sends statements of its own, made so that they are seen; the same each time. */
  private @Nullable Object helper(RealMethod method, Object[] arguments) throws Throwable {
    Object known = helpers.get(method.name());
    if (known != null) {
      return known;
    }
    Object real = delegate(method, arguments);
    if (real == null) {
      return null;
    }
    Object seen = ExecutorProxy.over(proxy(), real);
    helpers.put(method.name(), seen);
    return seen;
  }

  /** A statement that the connection itself sends, of which the rows are not followed. */
  private @Nullable Object executed(RealMethod method, Object[] arguments) throws Throwable {
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
      RealMethod method, Object[] arguments, Class<? extends Statement> type) throws Throwable {
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

  private @Nullable Object prepared(RealMethod method, Object[] arguments) throws Throwable {
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
            ? new TwoForms(new Forms(method, arguments))
            : null;
    PreparedStatement real =
        forms == null
            ? (PreparedStatement) delegate(method, arguments)
            : forms.first(asItIs.probable(session));
    return real == null
        ? null
        : new StatementProxy(real, PreparedStatement.class, this, asItIs, forms).proxy();
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

  /** Prepares a statement as the application has asked for it, and with another text. */
  private final class Forms implements TwoForms.Preparing {
    private final RealMethod method;
    private final Object[] arguments;

    Forms(RealMethod method, Object[] arguments) {
      this.method = method;
      this.arguments = arguments;
    }

    @Override
    public PreparedStatement own() throws Throwable {
      return (PreparedStatement) Objects.requireNonNull(delegate(method, arguments));
    }

    @Override
    public PreparedStatement rewritten(Sending sending) throws Throwable {
      String text = sending.text();
      if (sending.keys() != Sending.Keys.NONE) {
        return Objects.requireNonNull(
            realConnection.prepareStatement(text, Statement.RETURN_GENERATED_KEYS));
      }
      if (arguments.length == 1) {
        return Objects.requireNonNull(realConnection.prepareStatement(text));
      }
      Object[] changed = arguments.clone();
      changed[0] = text;
      return (PreparedStatement) Objects.requireNonNull(delegate(method, changed));
    }
  }

  private @Nullable Object commit(RealMethod method, Object[] arguments) throws Throwable {
    if (session.autoCommit()) {
      return delegate(method, arguments);
    }
    session.beforeCommit();
    try {
      Object result = delegate(method, arguments);
      session.committed();
      ended();
      return result;
    } catch (Throwable failure) {
      session.commitFailed(JdbcFailures.of(failure));
      ended();
      throw failure;
    }
  }

  private @Nullable Object rollback(RealMethod method, Object[] arguments) throws Throwable {
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
      ended();
    }
  }

  private @Nullable Object setAutoCommit(RealMethod method, Object[] arguments) throws Throwable {
    boolean on = (Boolean) arguments[0];
    session.beforeAutoCommit(on);
    boolean commits = session.switchCommits(on);
    if (commits) {
      session.beforeCommit();
    }
    try {
      Object result = delegate(method, arguments);
      session.autoCommitSet(on);
      ended();
      return result;
    } catch (Throwable failure) {
      if (commits) {
        session.commitFailed(JdbcFailures.of(failure));
      }
      throw failure;
    }
  }
}
