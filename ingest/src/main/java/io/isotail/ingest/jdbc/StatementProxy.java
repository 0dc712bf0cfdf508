package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.BatchRun;
import io.isotail.ingest.capture.ResultCapture;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.StatementTrait;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Stands in for a statement, prepared or not. */
final class StatementProxy extends ProxyHandler {
  private final ConnectionProxy connection;
  private final SessionCapture session;
  private final Parameters parameters = new Parameters();
  private final List<Bound> batch = new ArrayList<>();
  private @Nullable Sending prepared;
  private @Nullable Replay replay;
  private @Nullable StatementRun lastRun;
  private @Nullable Sending lastSending;
  private @Nullable ResultSet lastRealResult;
  private @Nullable Object lastResult;
  private long lastUpdateCount = -1;
  private @Nullable ResultSetProxy readAhead;

  /** A statement with its parameter values. */
  private record Bound(Sending sending, IntFunction<Object> parameters) {}

  /**
   * Stands in for a statement.
   *
   * @param prepared how a prepared statement was sent; null for a plain one
   * @param replay how to go on with the application's own text; null if that was sent
   */
  StatementProxy(
      Statement real,
      Class<? extends Statement> type,
      ConnectionProxy connection,
      @Nullable Sending prepared,
      @Nullable Replay replay) {
    super(real, type);
    this.connection = connection;
    this.session = connection.session();
    this.prepared = prepared;
    this.replay = replay;
  }

  SessionCapture session() {
    return session;
  }

  private Statement statement() {
    return (Statement) real();
  }

  /** The application's own limit of rows, 0 for none or when the driver does not tell. */
  long maxRows() {
    try {
      return statement().getMaxRows();
    } catch (SQLException e) {
      return 0;
    }
  }

  @Override
  @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    switch (method.getName()) {
      case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" -> {
        return execute(method, arguments);
      }
      case "executeBatch", "executeLargeBatch" -> {
        return executeBatch(method, arguments);
      }
      case "addBatch" -> {
        return addBatch(method, arguments);
      }
      case "clearBatch" -> {
        batch.clear();
        return delegate(method, arguments);
      }
      case "getResultSet" -> {
        return result((ResultSet) delegate(method, arguments));
      }
      case "getGeneratedKeys" -> {
        return generatedKeys(
            answersOnlyDriver() ? noKeys() : (ResultSet) delegate(method, arguments));
      }
      case "getMetaData" -> {
        return metaData((ResultSetMetaData) delegate(method, arguments));
      }
      case "getMoreResults" -> {
        Object more = delegate(method, arguments);
        rowsEnded();
        lastRun = null;
        return more;
      }
      case "getConnection" -> {
        return connection.proxy();
      }
      case "close" -> {
        try {
          return delegate(method, arguments);
        } finally {
          rowsEnded();
        }
      }
      default -> {
        Object result = delegate(method, arguments);
        noteSetter(method, arguments);
        return result;
      }
    }
  }

  private void noteSetter(Method method, Object[] arguments) {
    if (replay != null) {
      replay.note(method, arguments);
    }
    if (prepared == null) {
      return;
    }
    if (method.getName().equals("clearParameters")) {
      parameters.clear();
    } else if (arguments.length >= 2
        && arguments[0] instanceof Integer index
        && method.getName().startsWith("set")) {
      parameters.set(index, method.getName(), arguments);
    }
  }

  private @Nullable Object metaData(@Nullable ResultSetMetaData real) {
    Sending sending = prepared;
    if (real == null || sending == null || sending.hidden() == 0) {
      return real;
    }
    return sending.answersOnlyDriver() ? null : HiddenMetaData.hiding(real, sending.hidden());
  }

  private Bound bound(Object[] arguments) {
    Sending analyzed = prepared;
    if (analyzed != null && (arguments.length == 0 || !(arguments[0] instanceof String))) {
      return new Bound(analyzed, parameters.snapshot());
    }
    String text = (String) arguments[0];
    return new Bound(
        Sending.asItIs(session.analyze(text, false), text), SessionCapture::noParameter);
  }

  /** A text that is to be executed at once, with what can be added to it. */
  private Bound rewritten(Bound bound, Object[] arguments) {
    if (prepared != null || arguments.length == 0) {
      return bound;
    }
    Sending.Wanted wanted =
        arguments.length == 2 ? Sending.Wanted.of(arguments[1]) : new Sending.Wanted.None();
    Sending sending =
        Sending.of(
            session, bound.sending().sql(), bound.sending().text(), wanted, givesUpdatableRows());
    return new Bound(sending, bound.parameters());
  }

  private boolean givesUpdatableRows() {
    try {
      return Sending.isUpdatable(statement().getResultSetConcurrency());
    } catch (SQLException e) {
      return true;
    }
  }

  private @Nullable Object execute(Method method, Object[] arguments) throws Throwable {
    rowsEnded();
    lastRealResult = null;
    lastUpdateCount = -1;
    readAhead = null;
    Bound bound = rewritten(bound(arguments), arguments);
    Sending sending = bound.sending();
    StatementRun run = session.beforeStatement(sending.sql(), bound.parameters());
    lastRun = run;
    lastSending = sending;
    if (run != null && sending.sql().may(StatementTrait.LOCKS_ROWS) && fetchesInPortions()) {
      run.lockLater();
    }
    Object answer;
    try {
      answer = send(method, arguments, sending);
    } catch (Throwable failure) {
      session.statementFailed(run, JdbcFailures.of(failure));
      throw failure;
    }
    if (answer instanceof ResultSet rows) {
      session.afterQuery(run);
      return result(rows);
    }
    if (answer instanceof Boolean hasRows) {
      if (hasRows) {
        session.afterQuery(run);
      } else {
        updated(run, sending, updateCount());
      }
    } else if (answer instanceof Number count) {
      updated(run, sending, count.longValue());
    }
    return answer;
  }

  private @Nullable Object send(Method method, Object[] arguments, Sending sending)
      throws Throwable {
    if (prepared != null || !sending.isRewritten()) {
      return delegate(method, arguments);
    }
    if (!sending.keys()) {
      Object[] changed = arguments.clone();
      changed[0] = sending.text();
      return delegate(method, changed);
    }
    if (method.getName().equals("executeQuery")) {
      return delegate(method, arguments);
    }
    Method withKeys = methodOf(Statement.class, method.getName(), String.class, int.class);
    return delegate(withKeys, sending.text(), Statement.RETURN_GENERATED_KEYS);
  }

  private boolean fetchesInPortions() {
    try {
      return statement().getFetchSize() != 0;
    } catch (SQLException e) {
      return true;
    }
  }

  private long updateCount() {
    try {
      return statement().getUpdateCount();
    } catch (SQLException e) {
      return -1;
    }
  }

  private void updated(@Nullable StatementRun run, Sending sending, long count) {
    lastUpdateCount = count;
    if (run != null && sending.keys()) {
      readKeys(run, sending, count);
    }
    session.afterUpdate(run, count);
  }

  /** Reads what a write answers before its transaction may end. */
  private void readKeys(StatementRun run, Sending sending, long count) {
    try {
      if (sending.answersOnlyDriver()) {
        ResultCapture capture = session.result(run);
        ResultSet rows = statement().getGeneratedKeys();
        JdbcRow row = new JdbcRow(rows);
        while (rows.next()) {
          if (capture != null) {
            capture.row(row);
          }
        }
        if (capture != null) {
          capture.exhausted(true);
        }
      } else if (count == 1) {
        ResultSet rows = statement().getGeneratedKeys();
        ResultSetProxy ahead =
            new ResultSetProxy(rows, this, session.generatedKeys(run, count), sending.hidden());
        ahead.readAhead();
        readAhead = ahead;
      }
    } catch (SQLException e) {
      session.unreadAnswer(e);
    }
  }

  private @Nullable Object addBatch(Method method, Object[] arguments) throws Throwable {
    Replay plain = replay;
    if (plain != null && connection.autoCommit() && batch.isEmpty()) {
      Statement rewritten = statement();
      replace(plain.prepare());
      rewritten.close();
      prepared = plain.plain();
      replay = null;
    }
    Object result = delegate(method, arguments);
    batch.add(bound(arguments));
    return result;
  }

  private @Nullable Object executeBatch(Method method, Object[] arguments) throws Throwable {
    rowsEnded();
    lastRun = null;
    readAhead = null;
    List<Bound> elements = List.copyOf(batch);
    batch.clear();
    BatchRun run = session.batch();
    elements.forEach(element -> run.add(element.sending().sql(), element.parameters()));
    run.before();
    Object counts;
    try {
      counts = delegate(method, arguments);
    } catch (Throwable failure) {
      run.failed(JdbcFailures.ofBatch(failure));
      throw elements.isEmpty()
          ? failure
          : DriverErrors.without(elements.get(0).sending().added(), failure);
    }
    long[] written =
        counts instanceof int[] ints
            ? Arrays.stream(ints).asLongStream().toArray()
            : counts instanceof long[] longs ? longs : new long[0];
    if (!elements.isEmpty() && elements.get(0).sending().answersOnlyDriver()) {
      readKeys(run, written);
    }
    run.after(written);
    return counts;
  }

  /** The rows of all elements come one after the other. */
  private void readKeys(BatchRun run, long[] counts) {
    try {
      ResultSet rows = statement().getGeneratedKeys();
      JdbcRow row = new JdbcRow(rows);
      for (int i = 0; i < counts.length && counts[i] >= 0; i++) {
        ResultCapture capture = run.result(i);
        for (long n = 0; n < counts[i]; n++) {
          if (!rows.next()) {
            return;
          }
          if (capture != null) {
            capture.row(row);
          }
        }
        if (capture != null) {
          capture.exhausted(true);
        }
      }
    } catch (SQLException e) {
      session.unreadAnswer(e);
    }
  }

  private @Nullable Object result(@Nullable ResultSet rows) {
    if (rows == null) {
      return null;
    }
    if (rows == lastRealResult) {
      return lastResult;
    }
    lastRealResult = rows;
    Sending sending = lastSending;
    int hidden = sending == null || sending.keys() ? 0 : sending.hidden();
    lastResult = new ResultSetProxy(rows, this, session.result(lastRun), hidden).proxy();
    return lastResult;
  }

  private @Nullable Object generatedKeys(@Nullable ResultSet rows) {
    if (rows == null) {
      return null;
    }
    ResultSetProxy ahead = readAhead;
    if (ahead != null && ahead.isOf(rows)) {
      return ahead.proxy();
    }
    Sending sending = lastSending == null ? prepared : lastSending;
    int hidden = sending != null && sending.keys() && sending.visibleKeys() ? sending.hidden() : 0;
    return new ResultSetProxy(rows, this, keysOf(lastRun), hidden).proxy();
  }

  private @Nullable ResultCapture keysOf(@Nullable StatementRun run) {
    return answersOnlyDriver() ? null : session.generatedKeys(run, lastUpdateCount);
  }

  /** Whether the driver was asked for keys that the application has not asked for. */
  private boolean answersOnlyDriver() {
    Sending sending = lastSending == null ? prepared : lastSending;
    return sending != null && sending.answersOnlyDriver();
  }

  /** What the driver answers where no keys were asked for. */
  private @Nullable ResultSet noKeys() throws SQLException {
    Statement other = statement().getConnection().createStatement();
    other.closeOnCompletion();
    return other.getGeneratedKeys();
  }

  private void rowsEnded() {
    StatementRun run = lastRun;
    if (run != null) {
      session.rowsEnded(run);
    }
  }
}
