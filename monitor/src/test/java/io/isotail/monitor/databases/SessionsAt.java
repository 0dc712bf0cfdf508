package io.isotail.monitor.databases;

import io.isotail.monitor.trial.DatabaseIsolation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens sessions of a database at a level, on each of its nodes in turn. */
final class SessionsAt implements ReproductionRun.Sessions {
  private final DatabaseSystem system;
  private final DatabaseServer server;
  private final DatabaseIsolation isolation;
  private final Observer observer;
  private final AtomicInteger turn = new AtomicInteger();

  /** Stands between a session and its new connection. */
  interface Observer {
    Connection over(Connection connection) throws SQLException;
  }

  /**
   * Of a running database.
   *
   * @param isolation as {@code verify-database} names it
   */
  SessionsAt(DatabaseSystem system, DatabaseServer server, String isolation) {
    this(system, server, DatabaseIsolation.ofLabel(isolation), connection -> connection);
  }

  private SessionsAt(
      DatabaseSystem system,
      DatabaseServer server,
      DatabaseIsolation isolation,
      Observer observer) {
    this.system = system;
    this.server = server;
    this.isolation = isolation;
    this.observer = observer;
  }

  /** Sessions of this database and level, each opened through an observer. */
  SessionsAt observedBy(Observer by) {
    return new SessionsAt(system, server, isolation, by);
  }

  @Override
  public Connection open() throws SQLException {
    String url = server.urls().get(turn.getAndIncrement() % server.urls().size());
    Connection c = observer.over(DriverManager.getConnection(url, server.credentials()));
    try (Statement s = c.createStatement()) {
      for (String sql : system.onConnect()) {
        s.execute(sql);
      }
    }
    if (isolation != DatabaseIsolation.DEFAULT) {
      c.setTransactionIsolation(isolation.jdbc());
    }
    c.setAutoCommit(false);
    return c;
  }
}
