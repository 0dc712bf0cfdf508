package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.BatchRun;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.StatementTrait;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Stands in for a statement, prepared or not. */
final class StatementProxy extends ProxyHandler {
  private final Statement real;
  private final ConnectionProxy connection;
  private final SessionCapture session;
  private final @Nullable AnalyzedSql prepared;
  private final Parameters parameters = new Parameters();
  private final List<Bound> batch = new ArrayList<>();
  private @Nullable StatementRun lastRun;
  private @Nullable ResultSet lastRealResult;
  private @Nullable Object lastResult;
  private long lastUpdateCount = -1;

  /** A statement with its parameter values. */
  private record Bound(AnalyzedSql sql, IntFunction<Object> parameters) {}

  StatementProxy(
      Statement real,
      Class<? extends Statement> type,
      ConnectionProxy connection,
      @Nullable String sql) {
    super(real, type);
    this.real = real;
    this.connection = connection;
    this.session = connection.session();
    this.prepared = sql == null ? null : session.analyze(sql, true);
  }

  SessionCapture session() {
    return session;
  }

  /** The application's own limit of rows, 0 for none or when the driver does not tell. */
  long maxRows() {
    try {
      return real.getMaxRows();
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
        Object result = delegate(method, arguments);
        batch.add(bound(arguments));
        return result;
      }
      case "clearBatch" -> {
        batch.clear();
        return delegate(method, arguments);
      }
      case "clearParameters" -> {
        parameters.clear();
        return delegate(method, arguments);
      }
      case "getResultSet" -> {
        return result((ResultSet) delegate(method, arguments));
      }
      case "getGeneratedKeys" -> {
        return generatedKeys((ResultSet) delegate(method, arguments));
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
        if (prepared != null
            && arguments.length >= 2
            && arguments[0] instanceof Integer index
            && method.getName().startsWith("set")) {
          parameters.set(index, method.getName(), arguments);
        }
        return result;
      }
    }
  }

  private Bound bound(Object[] arguments) {
    AnalyzedSql analyzed = prepared;
    if (analyzed != null && (arguments.length == 0 || !(arguments[0] instanceof String))) {
      return new Bound(analyzed, parameters.snapshot());
    }
    return new Bound(session.analyze((String) arguments[0], false), SessionCapture::noParameter);
  }

  private @Nullable Object execute(Method method, Object[] arguments) throws Throwable {
    rowsEnded();
    lastRealResult = null;
    lastUpdateCount = -1;
    Bound bound = bound(arguments);
    StatementRun run = session.beforeStatement(bound.sql(), bound.parameters());
    lastRun = run;
    if (run != null && bound.sql().may(StatementTrait.LOCKS_ROWS) && fetchesInPortions()) {
      run.lockLater();
    }
    Object answer;
    try {
      answer = delegate(method, arguments);
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
        updated(run, updateCount());
      }
    } else if (answer instanceof Number count) {
      updated(run, count.longValue());
    }
    return answer;
  }

  private boolean fetchesInPortions() {
    try {
      return real.getFetchSize() != 0;
    } catch (SQLException e) {
      return true;
    }
  }

  private long updateCount() {
    try {
      return real.getUpdateCount();
    } catch (SQLException e) {
      return -1;
    }
  }

  private void updated(@Nullable StatementRun run, long count) {
    lastUpdateCount = count;
    session.afterUpdate(run, count);
  }

  private @Nullable Object executeBatch(Method method, Object[] arguments) throws Throwable {
    rowsEnded();
    lastRun = null;
    List<Bound> elements = List.copyOf(batch);
    batch.clear();
    BatchRun run = session.batch();
    elements.forEach(element -> run.add(element.sql(), element.parameters()));
    run.before();
    Object counts;
    try {
      counts = delegate(method, arguments);
    } catch (Throwable failure) {
      run.failed(JdbcFailures.ofBatch(failure));
      throw failure;
    }
    run.after(
        counts instanceof int[] ints
            ? Arrays.stream(ints).asLongStream().toArray()
            : counts instanceof long[] longs ? longs : new long[0]);
    return counts;
  }

  private @Nullable Object result(@Nullable ResultSet rows) {
    if (rows == null) {
      return null;
    }
    if (rows == lastRealResult) {
      return lastResult;
    }
    lastRealResult = rows;
    lastResult = new ResultSetProxy(rows, this, session.result(lastRun)).proxy();
    return lastResult;
  }

  private @Nullable Object generatedKeys(@Nullable ResultSet rows) {
    return rows == null
        ? null
        : new ResultSetProxy(rows, this, session.generatedKeys(lastRun, lastUpdateCount)).proxy();
  }

  private void rowsEnded() {
    StatementRun run = lastRun;
    if (run != null) {
      session.rowsEnded(run);
    }
  }
}
