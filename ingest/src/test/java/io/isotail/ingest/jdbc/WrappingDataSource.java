package io.isotail.ingest.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A source of wrapped connections for a pool. */
final class WrappingDataSource implements DataSource {
  private final Callable<Connection> connections;

  WrappingDataSource(Callable<Connection> connections) {
    this.connections = connections;
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return connections.call();
    } catch (Exception e) {
      throw new SQLException(e);
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
