package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.util.PSQLState;

/**
 * An explored history on a real PostgreSQL: each session has a connection, and begins, reads,
 * writes and commits one statement at a time, in the order that the history tells.
 *
 * <p>A transaction reads all that it reads at its begin, and writes just before it commits.
 */
final class ForcedHistory implements AutoCloseable {
  /** What the database made of it. */
  enum Outcome {
    /** All read what the history says, and ended as it says. */
    AS_EXPLORED,
    /** A transaction read something else. */
    READ_SOMETHING_ELSE,
    /** A transaction wrote something else, or gave up or did not where it should. */
    DID_SOMETHING_ELSE,
    /** The database refused a transaction, to be begun again. */
    REFUSED
  }

  private final String url;
  private final ForcedData data;
  private final List<Connection> connections = new ArrayList<>();

  ForcedHistory(String url, ForcedData data) {
    this.url = url;
    this.data = data;
  }

  /**
   * Runs a history.
   *
   * @param order t for the begin of transaction t, -t for its end
   * @param level of {@link Connection}
   */
  Outcome run(ExploredHistory history, int[] order, int level) throws SQLException {
    prepare(history, level);
    try {
      for (int event : order) {
        int transaction = Math.abs(event);
        Connection connection = connections.get(history.session(transaction));
        if (event > 0) {
          if (!reads(history, transaction, connection)) {
            return Outcome.READ_SOMETHING_ELSE;
          }
        } else if (!end(history, transaction, connection)) {
          return Outcome.DID_SOMETHING_ELSE;
        }
      }
      return Outcome.AS_EXPLORED;
    } catch (SQLException e) {
      // That a row is there already which its snapshot has not is a refusal, too.
      if (PSQLState.SERIALIZATION_FAILURE.getState().equals(e.getSQLState())
          || PSQLState.UNIQUE_VIOLATION.getState().equals(e.getSQLState())) {
        return Outcome.REFUSED;
      }
      throw e;
    } finally {
      for (Connection connection : connections) {
        connection.rollback();
      }
    }
  }

  private void prepare(ExploredHistory history, int level) throws SQLException {
    int sessions = 0;
    for (int t = 1; t <= history.transactions(); t++) {
      sessions = Math.max(sessions, history.session(t) + 1);
    }
    while (connections.size() < sessions) {
      Connection connection = DriverManager.getConnection(url);
      connection.setAutoCommit(false);
      connections.add(connection);
    }
    Connection first = connections.get(0);
    first.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    data.fill(first, history.program());
    first.commit();
    for (Connection connection : connections) {
      connection.setTransactionIsolation(level);
    }
  }

  private boolean reads(ExploredHistory history, int transaction, Connection connection)
      throws SQLException {
    List<ExploredHistory.Read> reads = history.reads(transaction);
    if (reads.isEmpty()) {
      // Its snapshot is taken by its first query, whether or not it reads.
      data.read(connection, "nothing");
    }
    for (ExploredHistory.Read expected : reads) {
      String value = data.read(connection, expected.variable());
      if (!String.valueOf(expected.value()).equals(value)) {
        return false;
      }
    }
    return true;
  }

  private boolean end(ExploredHistory history, int transaction, Connection connection)
      throws SQLException {
    boolean same = data.act(connection, history, transaction);
    if (history.committed(transaction)) {
      connection.commit();
    } else {
      connection.rollback();
    }
    return same;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
