package io.isotail.monitor.shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.isotail.ingest.shop.ShopEndpoint;
import io.isotail.ingest.shop.ShopRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;

/** One application with its connections. Thread-safe. */
final class Service implements AutoCloseable {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final AtomicLong REQUESTS = new AtomicLong();

  private final HikariDataSource pool;
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /**
   * A service whose connections are open.
   *
   * @param url through isotail's driver
   */
  Service(String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    config.setAutoCommit(false);
    this.pool = new HikariDataSource(config);
  }

  /** Transactions that committed. */
  long committed() {
    return committed.get();
  }

  /** Transactions that the database refused, and that were begun again. */
  long refused() {
    return refused.get();
  }

  /** Answers a request on some connection. */
  void answer(ShopEndpoint endpoint, long... ids) throws SQLException {
    try (Connection connection = connection()) {
      answer(connection, endpoint, ids, () -> {});
    }
  }

  /** A connection that nobody else has until it is closed. */
  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  /**
   * Answers a request, again and again while the database refuses it.
   *
   * @param pause what happens at the first attempt at the place where it may be interrupted
   */
  void answer(Connection connection, ShopEndpoint endpoint, long[] ids, Runnable pause)
      throws SQLException {
    Runnable once = pause;
    while (!attempt(connection, endpoint, ids, once)) {
      refused.incrementAndGet();
      once = () -> {};
    }
    committed.incrementAndGet();
  }

  private static boolean attempt(
      Connection connection, ShopEndpoint endpoint, long[] ids, Runnable pause)
      throws SQLException {
    try {
      connection.setTransactionIsolation(endpoint.level());
      endpoint
          .work()
          .run(
              new ShopRequest(
                  connection, endpoint.route(), ids, REQUESTS.incrementAndGet(), pause));
      connection.commit();
      return true;
    } catch (SQLException e) {
      connection.rollback();
      if (SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  /** The process of the database behind a connection. */
  static int backend(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  @Override
  public void close() {
    pool.close();
  }
}
