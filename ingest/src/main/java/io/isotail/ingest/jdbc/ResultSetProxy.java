package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.ResultCapture;
import io.isotail.ingest.capture.Row;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.StatementRun;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.Rewriting;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
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
  private final @Nullable ResultCapture capture;
  private final Row row;
  private boolean wasNullKept;
  private boolean keptWasNull;

  /** What {@code wasNull} threw, as SQLite's does before the first getter; null if it did not. */
  private @Nullable SQLException keptFailure;

  private boolean forwardOnly = true;
  private long rowsSeen;
  private final int hidden;
  private int visible = -1;
  private boolean holdsAll;

  /**
   * Stands in for a result set.
   *
   * @param hidden number of columns at the end of each row that the application does not see
   */
  ResultSetProxy(
      ResultSet real, StatementProxy statement, @Nullable ResultCapture capture, int hidden) {
    super(real, ResultSet.class, statement.classes());
    this.hidden = hidden;
    this.real = real;
    this.statement = statement;
    this.capture = capture;
    this.row = new TracelessRow(new JdbcRow(real, statement.names()));
  }

  /** The driver has all rows: those that the application leaves are read when it is done. */
  void holdsAll() {
    holdsAll = true;
  }

  /** Moves through the rows that the application has left; it cannot see them any more. */
  void readRest() {
    if (capture == null || !holdsAll || !forwardOnly) {
      return;
    }
    holdsAll = false;
    try {
      if (!real.isClosed()) {
        while (real.next()) {
          moved(true);
        }
        exhausted();
      }
    } catch (SQLException e) {
      ended(); // What it did stays unknown.
    }
  }

  /** Reads columns so that {@code wasNull} goes on answering for the application's last getter. */
  private final class TracelessRow implements Row {
    private final JdbcRow row;

    TracelessRow(JdbcRow row) {
      this.row = row;
    }

    @Override
    public int columns() throws SQLException {
      return row.columns();
    }

    @Override
    public String label(int column) throws SQLException {
      return row.label(column);
    }

    @Override
    public String storedLabel(int column) throws SQLException {
      return row.storedLabel(column);
    }

    @Override
    public Object value(int column, ColumnType type) throws SQLException {
      keepWasNull();
      return row.value(column, type);
    }

    @Override
    public @Nullable String @Nullable [][] texts(int column) throws SQLException {
      keepWasNull();
      return row.texts(column);
    }

    private void keepWasNull() {
      if (!wasNullKept) {
        try {
          keptWasNull = real.wasNull();
          keptFailure = null;
        } catch (SQLException e) {
          keptFailure = e;
        }
        wasNullKept = true;
      }
    }
  }

  @Override
  @Nullable Object call(RealMethod method, Object[] arguments) throws Throwable {
    if (hidden > 0 && arguments.length > 0) {
      if (arguments[0] instanceof Integer column) {
        checkColumn(method, column);
      } else if (arguments[0] instanceof String label && Rewriting.addsName(label)) {
        throw DriverErrors.noColumn(real, label);
      }
    }
    switch (method.called()) {
      case NEXT -> {
        boolean onRow = (Boolean) move(method, arguments);
        moved(onRow);
        if (!onRow) {
          holdsAll = false;
          exhausted();
        }
        return onRow;
      }
      case MOVE_TO_ROW -> {
        boolean onRow = (Boolean) move(method, arguments);
        forwardOnly = false;
        moved(onRow);
        return onRow;
      }
      case MOVE_OFF_ROWS -> {
        forwardOnly = false;
        return delegate(method, arguments);
      }
      case CLOSE -> {
        readRest();
        try {
          return delegate(method, arguments);
        } finally {
          ended();
        }
      }
      case WAS_NULL -> {
        return wasNullKept ? keptWasNull() : delegate(method, arguments);
      }
      case GET_META_DATA -> {
        Object metaData = delegate(method, arguments);
        return hidden > 0 && metaData instanceof ResultSetMetaData all
            ? HiddenMetaData.hiding(all, hidden, classes())
            : metaData;
      }
      case GET_STATEMENT -> {
        return statement.proxy();
      }
      case WRITE_ROW -> {
        return write(method, arguments);
      }
      default -> {
        if (wasNullKept && method.isGetter() && arguments.length > 0) {
          wasNullKept = false;
        }
        return delegate(method, arguments);
      }
    }
  }

  private boolean keptWasNull() throws SQLException {
    SQLException failure = keptFailure;
    if (failure != null) {
      throw failure;
    }
    return keptWasNull;
  }

  private void checkColumn(RealMethod method, int column) throws SQLException {
    if (method.isGetter() || method.isUpdater()) {
      if (visible < 0) {
        visible = real.getMetaData().getColumnCount() - hidden;
      }
      if (column > visible) {
        throw DriverErrors.outOfRange(real, column, visible);
      }
    }
  }

  private Object move(RealMethod method, Object[] arguments) throws Throwable {
    Object onRow;
    try {
      onRow = delegate(method, arguments);
    } catch (Throwable failure) {
      if (capture != null) {
        capture.failed(JdbcFailures.of(failure));
      }
      throw failure;
    }
    if (onRow == null) {
      throw new SQLException("isotail: the driver answered null to a move of a result set");
    }
    return onRow;
  }

  private void moved(boolean onRow) {
    if (onRow && capture != null) {
      rowsSeen++;
      capture.row(row);
    }
  }

  private void exhausted() {
    if (capture != null) {
      capture.exhausted(forwardOnly && (rowsSeen == 0 || rowsSeen != statement.maxRows()));
    }
  }

  private void ended() {
    if (capture != null) {
      capture.ended();
    }
  }

  /** Row updates go to the database by statements that the driver makes up. */
  private @Nullable Object write(RealMethod method, Object[] arguments) throws Throwable {
    SessionCapture session = statement.session();
    StatementRun update = session.beforeUnseenWrite(method.name());
    try {
      Object result = delegate(method, arguments);
      session.afterUpdate(update, -1);
      return result;
    } catch (Throwable failure) {
      session.statementFailed(update, JdbcFailures.of(failure));
      throw failure;
    }
  }
}
