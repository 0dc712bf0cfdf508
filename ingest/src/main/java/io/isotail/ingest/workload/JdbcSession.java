package io.isotail.ingest.workload;

import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A session on the rows of a table: transactions of one connection, and its statements. */
abstract class JdbcSession implements StoreSession {
  final Connection connection;
  final boolean inserts;
  private final List<Prepared> statements = new ArrayList<>();

  /**
   * Of a connection without autocommit, which is closed with it.
   *
   * @param inserts whether transactions insert rows, so that two may insert the same one
   */
  JdbcSession(Connection connection, boolean inserts) {
    this.connection = connection;
    this.inserts = inserts;
  }

  /** A statement that is closed with the session. */
  final Prepared prepare(String sql) {
    Prepared statement = new Prepared(connection, sql);
    statements.add(statement);
    return statement;
  }

  /** Throws that a statement was refused, or returns what lost the session. */
  final SQLException orRefused(SQLException e) throws RefusedException {
    if (TransientFailures.isRetryable(e, inserts)) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
    return e;
  }

  @Override
  public void begin(TransactionScope scope) {}

  @Override
  public void commit() throws SQLException, RefusedException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (TransientFailures.isRefusedCommit(e, inserts)) {
        throw new RefusedException(String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  @Override
  public void rollBack() throws SQLException {
    connection.rollback();
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
      for (Prepared statement : statements) {
        statement.close();
      }
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
