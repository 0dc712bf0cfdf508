package io.isotail.junit;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.jdbc.IsotailDriver;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose transactions are checked, in this process and without a broker. Everything
 * else it leaves to the one behind it. Safe for many threads.
 *
 * <p>On PostgreSQL all tables with a key are observed. On another database those are that {@code
 * isotail.tables} declares; without it nothing is captured, which is told after each test.
 */
public final class CheckedDataSource implements DataSource {
  private static final String OBSERVED_BY_ITSELF = "jdbc:postgresql:";
  private static final String TABLES = "isotail.tables";
  private static final String FILE = "isotail.config";

  /**
   * Data sources whose connections nobody else has or will have: forecasts may be tried on them.
   */
  private static final Set<String> MAKING_NEW_ONES =
      Set.of(
          "org.postgresql.ds.PGSimpleDataSource",
          "com.zaxxer.hikari.util.DriverDataSource",
          "org.springframework.jdbc.datasource.DriverManagerDataSource",
          "org.springframework.jdbc.datasource.SimpleDriverDataSource");

  private final DataSource real;
  private final Properties settings;
  private final CheckedHistory history;

  private CheckedDataSource(DataSource real, Properties settings) {
    this.real = real;
    this.history = Histories.begin();
    if (MAKING_NEW_ONES.contains(real.getClass().getName())) {
      history.forecasts().connectsBy(real);
    }
    this.settings = new Properties();
    settings.stringPropertyNames().forEach(n -> this.settings.put(n, settings.getProperty(n)));
    this.settings.setProperty("isotail.history", history.name());
    this.settings.setProperty("isotail.start-wait-ms", "0");
    this.settings.putIfAbsent("isotail.instance", "1");
    // Nothing leaves the process, so a failure may show the keys themselves.
    this.settings.putIfAbsent("isotail.clear-names", "true");
    this.settings.putIfAbsent("isotail.key", UUID.randomUUID().toString());
  }

  /**
   * Checks what goes through connections of a data source. A session lasts from {@code
   * getConnection} to {@code close}, and begins with a question to the server: wrap what a pool
   * connects by rather than the pool, which works too.
   */
  public static CheckedDataSource of(DataSource real) {
    return of(real, new Properties());
  }

  /**
   * Checks what goes through connections of a data source.
   *
   * @param settings of the driver, such as {@code isotail.tables} and {@code
   *     isotail.harmless-functions}
   */
  public static CheckedDataSource of(DataSource real, Properties settings) {
    if (real instanceof CheckedDataSource already) {
      return already;
    }
    CheckedDataSource checked = new CheckedDataSource(Objects.requireNonNull(real), settings);
    Histories.isOf(checked, checked.history);
    return checked;
  }

  /**
   * Fails if what the transactions did since the last such call, or since this data source was
   * made, violates a level. For tests that are not {@link CheckIsolation}.
   *
   * @throws AssertionError that tells what happened
   */
  public void requireSatisfied(IsolationLevel promise) {
    String violation = history.violationSinceAsked(promise);
    if (violation != null) {
      throw new AssertionError(violation);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    return checked(real.getConnection());
  }

  @Override
  public Connection getConnection(String name, String secret) throws SQLException {
    return checked(real.getConnection(name, secret));
  }

  /** The connection itself where nothing can be captured, else one that records. */
  private Connection checked(Connection connection) throws SQLException {
    String url = String.valueOf(connection.getMetaData().getURL());
    if (url.startsWith(OBSERVED_BY_ITSELF) || tablesAreDeclared()) {
      return IsotailDriver.captured(connection, settings, history, history.forecasts());
    }
    history.passed(
        "found %s without %s; expected PostgreSQL, or tables that are declared"
            .formatted(connection.getMetaData().getDatabaseProductName(), TABLES));
    return connection;
  }

  /** As the driver looks for its settings. */
  private boolean tablesAreDeclared() {
    return settings.getProperty(TABLES) != null
        || settings.getProperty(FILE) != null
        || System.getProperty(TABLES) != null
        || System.getProperty(FILE) != null
        || System.getenv("ISOTAIL_TABLES") != null
        || System.getenv("ISOTAIL_CONFIG") != null;
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    return type.isInstance(real) ? type.cast(real) : real.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(this) || type.isInstance(real) || real.isWrapperFor(type);
  }

  @Override
  public @Nullable PrintWriter getLogWriter() throws SQLException {
    return real.getLogWriter();
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    real.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    real.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return real.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    return real.getParentLogger();
  }
}
