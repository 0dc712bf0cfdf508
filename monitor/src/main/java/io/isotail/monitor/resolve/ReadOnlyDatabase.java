package io.isotail.monitor.resolve;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;

/** A connection to PostgreSQL with one read-only transaction, which is rolled back at the end. */
public final class ReadOnlyDatabase implements AutoCloseable {
  private final Connection connection;

  private ReadOnlyDatabase(Connection connection) {
    this.connection = connection;
  }

  /**
   * Connects.
   *
   * @param statementTimeout how long the server may work on one statement, or on one batch of rows
   */
  public static ReadOnlyDatabase open(String url, Properties properties, Duration statementTimeout)
      throws SQLException {
    Connection connection = DriverManager.getConnection(url, properties);
    try {
      connection.setAutoCommit(false);
      connection.setReadOnly(true);
      try (Statement statement = connection.createStatement()) {
        // For this transaction only: a pooler may hand the connection on.
        statement.execute("SET TRANSACTION READ ONLY");
        statement.execute("SET LOCAL statement_timeout = " + statementTimeout.toMillis());
        statement.execute("SET LOCAL search_path = " + SearchTable.DEFAULT_SCHEMA);
      }
      return new ReadOnlyDatabase(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** The connection, inside its transaction. */
  public Connection connection() {
    return connection;
  }

  /** Ends the transaction and the connection. */
  @Override
  public void close() throws SQLException {
    try {
      connection.rollback();
    } finally {
      connection.close();
    }
  }
}
