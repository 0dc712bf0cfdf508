package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Failure;
import java.sql.SQLException;

/** What an exception of a driver says of the server's error. */
final class JdbcFailures {
  private JdbcFailures() {}

  /** The failure of a statement or of a commit. */
  static Failure of(Throwable exception) {
    return exception instanceof SQLException e
        ? new Failure(e.getSQLState(), e.getErrorCode(), e.getMessage())
        : new Failure(null, 0);
  }

  /** The failure of a batch, whose exception may have none but its cause's SQLSTATE. */
  static Failure ofBatch(Throwable exception) {
    boolean wraps =
        exception instanceof SQLException e && e.getSQLState() == null && e.getCause() != null;
    Throwable cause = exception.getCause();
    return of(wraps && cause != null ? cause : exception);
  }
}
