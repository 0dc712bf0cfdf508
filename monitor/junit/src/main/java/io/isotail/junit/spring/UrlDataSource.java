package io.isotail.junit.spring;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connects by a URL, as a pool does that is given one. */
record UrlDataSource(String url, Properties properties) implements DataSource {
  @Override
  public Connection getConnection() throws SQLException {
    return DriverManager.getConnection(url, properties);
  }

  @Override
  public Connection getConnection(@Nullable String name, @Nullable String secret)
      throws SQLException {
    Properties all = new Properties();
    properties.forEach(all::put);
    if (name != null) {
      all.setProperty("user", name);
    }
    if (secret != null) {
      all.setProperty("password", secret);
    }
    return DriverManager.getConnection(url, all);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    throw new SQLException("isotail: there is no " + type.getName() + " behind a URL");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return DriverManager.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    DriverManager.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // For the whole process it is not for this one to set.
  }

  @Override
  public int getLoginTimeout() {
    return DriverManager.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("isotail logs through SLF4J");
  }
}
