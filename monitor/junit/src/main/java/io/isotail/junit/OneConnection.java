package io.isotail.junit;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Gives a connection that there is already. */
record OneConnection(Connection connection) implements DataSource {
  @Override
  public Connection getConnection() {
    return connection;
  }

  @Override
  public Connection getConnection(String name, String secret) {
    return connection;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return type.cast(this);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    // Nobody asks for one.
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // There is nothing to wait for.
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("isotail logs through SLF4J");
  }
}
