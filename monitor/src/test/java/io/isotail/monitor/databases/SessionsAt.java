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
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Of a running database.
   *
   * @param isolation as {@code verify-database} names it
   */
  SessionsAt(DatabaseSystem system, DatabaseServer server, String isolation) {
    this.system = system;
    this.server = server;
    this.isolation = DatabaseIsolation.ofLabel(isolation);
  }

  @Override
  public Connection open() throws SQLException {
    String url = server.urls().get(turn.getAndIncrement() % server.urls().size());
    Connection c = DriverManager.getConnection(url, server.credentials());
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
