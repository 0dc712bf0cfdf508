package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Rewriting;
import java.sql.BatchUpdateException;
import java.sql.SQLException;

/** Errors as the real driver would have thrown them. */
final class DriverErrors {
  private static final String POSTGRES = "org.postgresql.util.";

  private DriverErrors() {}

  /**
   * A column was asked for that the application does not see.
   *
   * @param real an object of the driver
   */
  static SQLException outOfRange(Object real, int column, int visible) {
    return of(
        real,
        "The column index is out of range: %d, number of columns: %d.".formatted(column, visible),
        "INVALID_PARAMETER_VALUE",
        "22023");
  }

  /**
   * A column was asked for by a name that the application does not see.
   *
   * @param real an object of the driver
   */
  static SQLException noColumn(Object real, String name) {
    return of(
        real,
        "The column name %s was not found in this ResultSet.".formatted(name),
        "UNDEFINED_COLUMN",
        "42703");
  }

  /**
   * A statement was cancelled before it was sent.
   *
   * @param real an object of the driver
   */
  static SQLException cancelled(Object real) {
    return of(real, "canceling statement due to user request", "QUERY_CANCELED", "57014");
  }

  /**
   * The failure of a batch as the application would have seen it: its message quotes the statement.
   *
   * @param sent how the statement was sent
   */
  static Throwable without(Throwable failure, Rewriting sent) {
    String message = failure.getMessage();
    if (!(failure instanceof BatchUpdateException batch)
        || message == null
        || sent.without(message).equals(message)) {
      return failure;
    }
    BatchUpdateException other =
        new BatchUpdateException(
            sent.without(message),
            batch.getSQLState(),
            batch.getErrorCode(),
            batch.getLargeUpdateCounts(),
            batch.getCause());
    if (batch.getNextException() != null) {
      other.setNextException(batch.getNextException());
    }
    for (Throwable suppressed : batch.getSuppressed()) {
      other.addSuppressed(suppressed);
    }
    other.setStackTrace(batch.getStackTrace());
    return other;
  }

  private static SQLException of(Object real, String message, String constant, String sqlState) {
    try {
      ClassLoader driver = real.getClass().getClassLoader();
      Class<?> state = Class.forName(POSTGRES + "PSQLState", true, driver);
      return Class.forName(POSTGRES + "PSQLException", true, driver)
          .asSubclass(SQLException.class)
          .getConstructor(String.class, state)
          .newInstance(message, state.getField(constant).get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return new SQLException(message, sqlState, e);
    }
  }
}
