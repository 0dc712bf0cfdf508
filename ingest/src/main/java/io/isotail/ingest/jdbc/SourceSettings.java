package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.SinkFactory;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.CommonDataSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What the data sources have in common: bean properties {@code url}, {@code user}, {@code password}
 * and {@code properties}, or another data source behind them. Set them before the first connection;
 * connections may then be asked for by many threads.
 */
public abstract class SourceSettings implements CommonDataSource {
  private final @Nullable DataSource behind;
  private final @Nullable SinkFactory sinks;
  private String url = "";
  private @Nullable String user;
  private @Nullable String password;
  private Properties properties = new Properties();
  private @Nullable PrintWriter log;
  private int loginTimeoutSeconds;

  SourceSettings(@Nullable DataSource behind, @Nullable SinkFactory sinks) {
    this.behind = behind;
    this.sinks = sinks;
  }

  /** The URL, with or without {@code isotail:} in it. */
  public String getUrl() {
    return url;
  }

  /** Sets the URL: {@code jdbc:isotail:postgresql://…} or {@code jdbc:postgresql://…}. */
  public void setUrl(String url) {
    this.url = url;
  }

  /** The user of the database; null if the URL or the properties tell. */
  public @Nullable String getUser() {
    return user;
  }

  /** Sets the user of the database. */
  public void setUser(@Nullable String user) {
    this.user = user;
  }

  /** Sets the user's password. */
  public void setPassword(@Nullable String password) {
    this.password = password;
  }

  /** Settings of isotail ({@code isotail.history}) and of the real driver. */
  public Properties getProperties() {
    return copyOf(properties);
  }

  /** Sets the settings of isotail and of the real driver. */
  public void setProperties(Properties properties) {
    this.properties = copyOf(properties);
  }

  private static Properties copyOf(Properties properties) {
    Properties copy = new Properties();
    properties.stringPropertyNames().forEach(n -> copy.put(n, properties.getProperty(n)));
    properties.forEach(copy::putIfAbsent);
    return copy;
  }

  /** A new connection whose transactions are recorded. */
  final Connection connect() throws SQLException {
    return connect(user, password, false);
  }

  /** A new connection of a user. */
  final Connection connect(@Nullable String name, @Nullable String secret) throws SQLException {
    return connect(name, secret, true);
  }

  private Connection connect(@Nullable String name, @Nullable String secret, boolean told)
      throws SQLException {
    IsotailDriver driver = new IsotailDriver(sinks);
    if (behind != null) {
      Connection real = told ? behind.getConnection(name, secret) : behind.getConnection();
      return driver.captured(real, properties);
    }
    Properties all = copyOf(properties);
    if (name != null) {
      all.setProperty("user", name);
    }
    if (secret != null) {
      all.setProperty("password", secret);
    }
    Connection connection = driver.connect(IsotailDriver.captureUrl(url), all);
    if (connection == null) {
      throw new SQLException(
          "isotail: no connection for url=" + url + "; expected jdbc:isotail:DATABASE:…", "08001");
    }
    return connection;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return behind == null ? log : behind.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    log = out;
    if (behind != null) {
      behind.setLogWriter(out);
    }
  }

  /** Limits how long the data source behind this one may take, if there is one. */
  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    loginTimeoutSeconds = seconds;
    if (behind != null) {
      behind.setLoginTimeout(seconds);
    }
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return behind == null ? loginTimeoutSeconds : behind.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("isotail logs through SLF4J");
  }

  /** The data source behind this one, null if it connects by its URL. */
  final @Nullable DataSource behind() {
    return behind;
  }
}
