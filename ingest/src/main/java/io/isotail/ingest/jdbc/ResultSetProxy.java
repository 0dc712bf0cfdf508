package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Uninterpreted;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a result set: observes each row that the application moves to.
 *
 * <p>The columns read by isotail leave no trace: {@code wasNull} keeps answering for the
 * application's own last getter.
 */
final class ResultSetProxy extends ProxyHandler {
  private final ResultSet real;
  private final StatementProxy statement;
  private final @Nullable StatementRun run;
  private final @Nullable ResultReader reader;
  private boolean wasNullKept;
  private boolean keptWasNull;
  private boolean forwardOnly = true;
  private long rowsSeen;

  ResultSetProxy(
      ResultSet real,
      StatementProxy statement,
      @Nullable StatementRun run,
      @Nullable ResultReader reader) {
    super(real, ResultSet.class);
    this.real = real;
    this.statement = statement;
    this.run = run;
    this.reader = reader;
  }

  @Override
  @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    switch (name) {
      case "next" -> {
        boolean onRow = (Boolean) move(method, arguments);
        moved(onRow);
        if (!onRow) {
          exhausted();
        }
        return onRow;
      }
      case "previous", "first", "last", "absolute", "relative" -> {
        boolean onRow = (Boolean) move(method, arguments);
        forwardOnly = false;
        moved(onRow);
        return onRow;
      }
      case "beforeFirst", "afterLast", "moveToCurrentRow", "moveToInsertRow" -> {
        forwardOnly = false;
        return delegate(method, arguments);
      }
      case "close" -> {
        try {
          return delegate(method, arguments);
        } finally {
          ended();
        }
      }
      case "wasNull" -> {
        return wasNullKept ? keptWasNull : delegate(method, arguments);
      }
      case "getStatement" -> {
        return statement.proxy();
      }
      case "updateRow", "insertRow", "deleteRow" -> {
        return write(method, arguments);
      }
      default -> {
        if (wasNullKept && name.startsWith("get") && arguments.length > 0) {
          wasNullKept = false;
        }
        return delegate(method, arguments);
      }
    }
  }

  private Object move(Method method, Object[] arguments) throws Throwable {
    Object onRow;
    try {
      onRow = delegate(method, arguments);
    } catch (Throwable failure) {
      StatementRun observed = run;
      if (observed != null) {
        statement.session().rowFailed(observed, failure);
      }
      throw failure;
    }
    if (onRow == null) {
      throw new SQLException("isotail: the driver answered null to a move of a result set");
    }
    return onRow;
  }

  private void moved(boolean onRow) {
    StatementRun observed = run;
    ResultReader rows = reader;
    if (!onRow || observed == null || rows == null) {
      return;
    }
    rowsSeen++;
    statement
        .session()
        .row(
            observed,
            () -> {
              boolean wasNull = wasNullKept ? keptWasNull : real.wasNull();
              keptWasNull = wasNull;
              wasNullKept = true;
              rows.row(real);
            });
  }

  private void exhausted() {
    StatementRun observed = run;
    ResultReader rows = reader;
    if (observed != null && rows != null && !observed.detached()) {
      boolean everyRowSeen = forwardOnly && (rowsSeen == 0 || rowsSeen != statement.maxRows());
      statement.session().row(observed, () -> rows.exhausted(everyRowSeen));
    }
    ended();
  }

  private void ended() {
    StatementRun observed = run;
    if (observed != null) {
      statement.session().rowsEnded(observed);
    }
  }

  /** Row updates go to the database by statements that the driver makes up. */
  private @Nullable Object write(Method method, Object[] arguments) throws Throwable {
    SessionCapture session = statement.session();
    List<ObservedTable> tables = session.capture().config().tables().all();
    Analysis analysis =
        tables.isEmpty()
            ? new Analysis.Harmless()
            : new Analysis.Opaque(tables, Uninterpreted.UTILITY);
    StatementRun update =
        session.beforeStatement(
            new AnalyzedSql(analysis, method.getName(), List.of(), Set.of()),
            SessionCapture::noParameter);
    try {
      Object result = delegate(method, arguments);
      session.afterUpdate(update, -1);
      return result;
    } catch (Throwable failure) {
      session.statementFailed(update, failure);
      throw failure;
    }
  }
}
