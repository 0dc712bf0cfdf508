package io.isotail.ingest.workload;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A statement of a connection that is prepared when it is first needed, and again if the driver has
 * closed it: DuckDB's does after a failure.
 */
final class Prepared implements AutoCloseable {
  private final Connection connection;
  private final String sql;
  private @Nullable PreparedStatement statement;

  Prepared(Connection connection, String sql) {
    this.connection = connection;
    this.sql = sql;
  }

  /** The statement, to set its parameters and to run it. */
  PreparedStatement open() throws SQLException {
    PreparedStatement open = statement;
    if (open == null || open.isClosed()) {
      open = connection.prepareStatement(sql);
      statement = open;
    }
    return open;
  }

  @Override
  public void close() throws SQLException {
    if (statement != null) {
      statement.close();
    }
  }
}
