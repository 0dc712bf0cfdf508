package io.isotail.junit;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What had been committed at one moment, kept by an open transaction of a connection of its own. It
 * locks no table. Once tables are asked for, it keeps copies of them.
 *
 * <p>Safe for several threads.
 */
final class HeldSnapshot {
  private final Connection connection;
  private @Nullable CopiedTables copies;
  private boolean closed;

  private HeldSnapshot(Connection connection) {
    this.connection = connection;
  }

  /** What is committed now; null if that cannot be kept. */
  static @Nullable HeldSnapshot take(DataSource real) {
    try {
      Connection connection = real.getConnection();
      try {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET lock_timeout = '2s'; SET statement_timeout = '10s'; SELECT 1");
        }
        return new HeldSnapshot(connection);
      } catch (SQLException | RuntimeException e) {
        connection.close();
        return null;
      }
    } catch (SQLException | RuntimeException e) {
      return null;
    }
  }

  synchronized boolean isOpen() {
    return !closed;
  }

  /**
   * The tables as they were.
   *
   * @param tables those of the first call are kept
   * @throws SQLException if one of them cannot be copied
   */
  synchronized CopiedTables copies(Set<String> tables) throws SQLException {
    CopiedTables known = copies;
    if (known == null) {
      if (closed) {
        throw new SQLException("the test is over");
      }
      try {
        known = CopiedTables.ofOriginals(connection, tables);
      } catch (SQLException e) {
        close();
        throw e;
      }
      copies = known;
    }
    return known;
  }

  /** Ends it. */
  synchronized void close() {
    closed = true;
    try (connection) {
      if (copies != null) {
        copies.drop();
      }
    } catch (SQLException e) {
      // The server ends it with the process.
    }
  }
}
