package io.isotail.monitor.explore;

import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** Each variable of any program is a row of one table; one that is absent is no row. */
final class ForcedVariables implements ForcedData {

  @Override
  public void fill(Connection connection, Program program) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS explored (k text PRIMARY KEY, v text)");
      statement.execute("DELETE FROM explored");
    }
    for (Map.Entry<String, Object> initial : program.initial().entrySet()) {
      write(connection, initial.getKey(), initial.getValue());
    }
  }

  @Override
  public String read(Connection connection, String variable) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT v FROM explored WHERE k = ?")) {
      query.setString(1, variable);
      try (ResultSet rows = query.executeQuery()) {
        return rows.next() ? rows.getString(1) : String.valueOf(Program.ABSENT);
      }
    }
  }

  @Override
  public boolean act(Connection connection, ExploredHistory history, int transaction)
      throws SQLException {
    for (Map.Entry<String, Object> written : history.end(transaction).writes().entrySet()) {
      write(connection, written.getKey(), written.getValue());
    }
    return true;
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
}
