package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.util.PSQLState;

/**
 * An explored history on a real PostgreSQL: each session has a connection, and begins, reads,
 * writes and commits one statement at a time, in the order that the history tells.
 *
 * <p>A transaction reads all that it reads at its begin, and writes just before it commits. A
 * variable is a row; one that is absent is no row.
 */
final class ForcedHistory implements AutoCloseable {
  /** What the database made of it. */
  enum Outcome {
    /** All read what the history says, and ended as it says. */
    AS_EXPLORED,
    /** A transaction read something else. */
    READ_SOMETHING_ELSE,
    /** The database refused a transaction, to be begun again. */
    REFUSED
  }

  private final String url;
  private final List<Connection> connections = new ArrayList<>();

  ForcedHistory(String url) {
    this.url = url;
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
        } else {
          end(history, transaction, connection);
        }
      }
      return Outcome.AS_EXPLORED;
    } catch (SQLException e) {
      if (PSQLState.SERIALIZATION_FAILURE.getState().equals(e.getSQLState())) {
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
    try (Statement statement = first.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS explored (k text PRIMARY KEY, v text)");
      statement.execute("DELETE FROM explored");
    }
    for (Map.Entry<String, Object> initial : history.program().initial().entrySet()) {
      write(first, initial.getKey(), initial.getValue());
    }
    first.commit();
    for (Connection connection : connections) {
      connection.setTransactionIsolation(level);
    }
  }

  private static boolean reads(ExploredHistory history, int transaction, Connection connection)
      throws SQLException {
    // Its snapshot is taken by its first query, whether or not it reads.
    Map<String, String> read = new HashMap<>();
    for (ExploredHistory.Read expected : history.reads(transaction)) {
      String value = read(connection, expected.variable());
      read.put(expected.variable(), value);
      if (!String.valueOf(expected.value()).equals(value)) {
        return false;
      }
    }
    if (read.isEmpty()) {
      read(connection, "nothing");
    }
    return true;
  }

  private static void end(ExploredHistory history, int transaction, Connection connection)
      throws SQLException {
    if (!history.committed(transaction)) {
      connection.rollback();
      return;
    }
    for (Map.Entry<String, Object> written : history.end(transaction).writes().entrySet()) {
      write(connection, written.getKey(), written.getValue());
    }
    connection.commit();
  }

  private static String read(Connection connection, String variable) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT v FROM explored WHERE k = ?")) {
      query.setString(1, variable);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? rows.getString(1) : String.valueOf(Program.ABSENT);
      }
    }
  }

  private static void write(Connection connection, String variable, Object value)
      throws SQLException {
    if (value == Program.ABSENT) {
      try (PreparedStatement delete =
          connection.prepareStatement("DELETE FROM explored WHERE k = ?")) {
        delete.setString(1, variable);
        delete.executeUpdate();
      }
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            "INSERT INTO explored VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v")) {
      update.setString(1, variable);
      update.setString(2, String.valueOf(value));
      update.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
