package io.isotail.ingest.workload;

import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Sessions on the rows of a table, by JDBC.
 *
 * @param table of the workload's registers
 * @param connections opens their connections; observed if they are isotail's
 * @param isolation level that transactions ask for, as a constant of {@link Connection}; {@link
 *     Connection#TRANSACTION_NONE} for what the connection has
 * @param inserts whether rows are fresh
 */
public record JdbcSessions(
    RegisterTable table, ConnectionSource connections, int isolation, boolean inserts)
    implements SessionSource {

  @Override
  public StoreSession open() throws SQLException {
    Connection c = connections.open();
    try {
      if (isolation != Connection.TRANSACTION_NONE) {
        c.setTransactionIsolation(isolation);
      }
      c.setAutoCommit(false);
      return table.ofLists() ? new JdbcLists(c, table) : new JdbcRegisters(c, table, inserts);
    } catch (SQLException | RuntimeException e) {
      c.close();
      throw e;
    }
  }
}
