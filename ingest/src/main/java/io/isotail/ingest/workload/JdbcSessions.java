package io.isotail.ingest.workload;

import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.SessionSource;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Sessions on the rows of a table, by JDBC.
 *
 * @param connections opens their connections; observed if they are isotail's
 */
record JdbcSessions(WorkloadConfig config, RegisterTable table, ConnectionSource connections)
    implements SessionSource {

  @Override
  public StoreSession open() throws SQLException {
    Connection c = connections.open();
    try {
      if (config.isolation() != Connection.TRANSACTION_NONE) {
        c.setTransactionIsolation(config.isolation());
      }
      c.setAutoCommit(false);
      return new Session(c, table, config.freshRows());
    } catch (SQLException | RuntimeException e) {
      c.close();
      throw e;
    }
  }

  private static final class Session implements StoreSession {
    private final Connection connection;
    private final RegisterTable table;
    private final boolean inserts;
    private final RegisterTable.Statements statements;

    Session(Connection connection, RegisterTable table, boolean inserts) throws SQLException {
      this.connection = connection;
      this.table = table;
      this.inserts = inserts;
      this.statements = table.on(connection);
    }

    @Override
    public void begin(TransactionScope scope) {}

    @Override
    public @Nullable Long read(long register) throws SQLException, RefusedException {
      try {
        return statements.read(register);
      } catch (SQLException e) {
        throw orRefused(e);
      }
    }

    @Override
    public void write(long register, long version) throws SQLException, RefusedException {
      try {
        if (!statements.overwrite(register, version)) {
          if (!inserts) {
            throw new SQLException("register " + register + " is missing");
          }
          statements.insert(register, version);
        }
      } catch (SQLException e) {
        throw orRefused(e);
      }
    }

    @Override
    public void commit() throws SQLException, RefusedException {
      try {
        connection.commit();
      } catch (SQLException e) {
        throw orRefused(e);
      }
    }

    private SQLException orRefused(SQLException e) throws RefusedException {
      if (TransientFailures.isRetryable(e, inserts)) {
        throw new RefusedException(String.valueOf(e.getMessage()), e);
      }
      return e;
    }

    @Override
    public void rollBack() throws SQLException {
      connection.rollback();
    }

    /** In one transaction. */
    @Override
    public int make(int registers) throws SQLException {
      String text = RegisterTable.Statements.insert(table);
      try (PreparedStatement insert = connection.prepareStatement(text)) {
        for (int key = 0; key < registers; key++) {
          insert.setLong(1, key);
          insert.setLong(2, key + 1L);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();
      return 1;
    }

    @Override
    public void cut() throws IOException {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    @Override
    public void close() throws IOException {
      try (connection) {
        statements.close();
      } catch (SQLException e) {
        throw new IOException(e.getMessage(), e);
      }
    }
  }
}
