package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.DatabaseCopy;
import io.isotail.ingest.capture.KafkaSinks;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.Sessions;
import io.isotail.ingest.capture.SharedCaptures;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.emit.TransactionSink;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * JDBC driver for URLs such as {@code
 * jdbc:isotail:postgresql://host/db?isotail.kafka=kafka:9092&isotail.history=orders&isotail.tables=reg(k;v)}.
 *
 * <p>It connects through the real driver, whose URL is the same without {@code isotail:} and
 * without the parameters that start with {@code isotail.}, and records what the connection's
 * transactions do to the observed tables. A wrong setting of isotail makes {@link #connect} fail;
 * once connected, isotail never makes a call fail.
 */
public final class IsotailDriver implements Driver {
  /** How its URLs begin. */
  public static final String URL_PREFIX = CaptureSettings.URL_PREFIX;

  static {
    try {
      DriverManager.registerDriver(new IsotailDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable SinkFactory sinks;
  private final StatementListener listener;

  /** The driver as the ServiceLoader makes it, recording to Kafka. */
  public IsotailDriver() {
    this(null);
  }

  /** A driver that records to the sinks of a factory; null for Kafka. */
  IsotailDriver(@Nullable SinkFactory sinks) {
    this(sinks, StatementListener.NONE);
  }

  private IsotailDriver(@Nullable SinkFactory sinks, StatementListener listener) {
    this.sinks = sinks;
    this.listener = listener;
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(CaptureSettings.URL_PREFIX);
  }

  @Override
  public @Nullable Connection connect(String url, @Nullable Properties info) throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    CaptureSettings settings;
    try {
      settings = settings(url, info == null ? new Properties() : info);
    } catch (RuntimeException e) {
      throw new SQLException("isotail: " + e.getMessage(), "08001", e);
    }
    Driver driver = DriverManager.getDriver(settings.realUrl());
    Connection real = driver.connect(settings.realUrl(), settings.realProperties());
    return real == null ? null : captured(real, settings);
  }

  /**
   * Records what a connection does to the sinks of a factory: {@code isotail.kafka} is not needed.
   *
   * @param real not in use yet; closed if this throws
   * @param settings settings of isotail, such as {@code isotail.history}; others are ignored
   * @param listener is told the statements themselves
   */
  public static Connection captured(
      Connection real, Properties settings, SinkFactory sinks, StatementListener listener)
      throws SQLException {
    return new IsotailDriver(sinks, listener).captured(real, settings);
  }

  /**
   * Records what a connection does.
   *
   * @param properties settings of isotail; others are ignored
   */
  Connection captured(Connection real, Properties properties) throws SQLException {
    try {
      String url = captureUrl(real.getMetaData().getURL());
      return captured(real, settings(url, properties));
    } catch (RuntimeException e) {
      real.close();
      throw new SQLException("isotail: " + e.getMessage(), "08001", e);
    }
  }

  private CaptureSettings settings(String url, Properties properties) {
    return CaptureSettings.of(url, properties, sinks == null);
  }

  private Connection captured(Connection real, CaptureSettings settings) throws SQLException {
    CaptureConfig config = settings.config();
    if (config == null) {
      return real;
    }
    try {
      SinkFactory factory = sinks == null ? new KafkaSinks() : sinks;
      JdbcServer server = new JdbcServer(real, settings.realUrl(), settings.realProperties());
      long startWaitNs = TimeUnit.MILLISECONDS.toNanos(settings.startWaitMs());
      return wrap(real, SharedCaptures.get(config, factory, server, startWaitNs), server, listener);
    } catch (SQLException | RuntimeException | LinkageError e) {
      real.close();
      throw new SQLException("isotail: recording cannot start: " + e.getMessage(), "08001", e);
    }
  }

  /** The URL of this driver for one of a real driver; itself if it is one. */
  static String captureUrl(String url) {
    return url.startsWith(CaptureSettings.URL_PREFIX) || !url.startsWith("jdbc:")
        ? url
        : CaptureSettings.URL_PREFIX + url.substring("jdbc:".length());
  }

  /**
   * Wraps connections for an application that brings its own sink.
   *
   * @param config what to observe
   * @param sink where records go
   * @param proxyId id of the proxy incarnation that the sink speaks for, null if there is none
   */
  public static ConnectionWrapper wrapper(
      CaptureConfig config, TransactionSink sink, @Nullable String proxyId) {
    Capture capture = new Capture(config, sink, proxyId);
    return new ConnectionWrapper() {
      @Override
      public Connection wrap(Connection real) throws SQLException {
        String url = real.getMetaData().getURL();
        JdbcServer server = new JdbcServer(real, url, new Properties());
        return IsotailDriver.wrap(real, capture, server, StatementListener.NONE);
      }

      @Override
      public CaptureStats stats() {
        return capture.stats();
      }
    };
  }

  /**
   * Says goodbye on every stream that connections of this driver opened. The end of the process
   * does it too; call it earlier when the driver is to be unloaded, after the last connection is
   * closed. A connection made later opens a new stream.
   */
  public static void shutDown() {
    SharedCaptures.closeAll();
  }

  /**
   * The URL for the real driver.
   *
   * @throws IllegalArgumentException when it is not a URL of this driver
   */
  public static String realUrl(String url) {
    if (!url.startsWith(CaptureSettings.URL_PREFIX)) {
      throw new IllegalArgumentException(
          "found the URL %s; expected one that starts with %s"
              .formatted(url, CaptureSettings.URL_PREFIX));
    }
    return CaptureSettings.of(url, new Properties(), true).realUrl();
  }

  /**
   * The name of an isolation level in records, as {@code h2:serializable}.
   *
   * @param real a connection of the real driver
   * @param level as a constant of {@link Connection}
   * @return null if it is no such constant
   */
  public static @Nullable String levelName(Connection real, int level) throws SQLException {
    return JdbcDialects.of(real, real.getMetaData().getURL())
        .level(JdbcIsolation.sqlName(level), DatabaseCopy.PRIMARY);
  }

  private static Connection wrap(
      Connection real, Capture capture, JdbcServer server, StatementListener listener)
      throws SQLException {
    SessionCapture session = Sessions.open(capture, server, server.host(), real.getAutoCommit());
    return new ConnectionProxy(real, session, listener).connection();
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties info)
      throws SQLException {
    if (!acceptsURL(url)) {
      return new DriverPropertyInfo[0];
    }
    String realUrl = "jdbc:" + url.substring(CaptureSettings.URL_PREFIX.length());
    Driver driver = DriverManager.getDriver(realUrl);
    return driver.getPropertyInfo(realUrl, info == null ? new Properties() : info);
  }

  @Override
  public int getMajorVersion() {
    return DriverVersion.read().major();
  }

  @Override
  public int getMinorVersion() {
    return DriverVersion.read().minor();
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("isotail logs through SLF4J");
  }
}
