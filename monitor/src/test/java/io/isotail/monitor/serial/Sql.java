package io.isotail.monitor.serial;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Runs statements as applications do: with literals or parameters, by any method of JDBC. */
final class Sql {
  private final Random random;

  Sql(Random random) {
    this.random = random;
  }

  /**
   * Runs a statement and reads all its rows.
   *
   * @param sql with {@code ?} for each argument
   * @return the first row's column {@code v}, null if there is no row or no such column
   */
  @Nullable Long run(Connection connection, String sql, long... arguments) throws SQLException {
    if (random.nextBoolean()) {
      try (Statement statement = connection.createStatement()) {
        String text = literal(sql, arguments);
        return read(statement, statement.execute(text));
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setLong(i + 1, arguments[i]);
      }
      return read(statement, statement.execute());
    }
  }

  /** Runs a text that cannot be prepared, such as one of several statements. */
  void runText(Connection connection, String sql, long... arguments) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(literal(sql, arguments));
    }
  }

  /** Runs a statement once for each row of arguments, as a batch. */
  void batch(Connection connection, String sql, long[]... rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (long[] row : rows) {
        for (int i = 0; i < row.length; i++) {
          statement.setLong(i + 1, row[i]);
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private @Nullable Long read(Statement statement, boolean rows) throws SQLException {
    if (!rows) {
      return null;
    }
    try (ResultSet result = statement.getResultSet()) {
      int column = versionColumn(result);
      Long first = null;
      while (result.next()) {
        if (column > 0 && first == null) {
          first = result.getLong(column);
        }
      }
      return first;
    }
  }

  private static int versionColumn(ResultSet result) throws SQLException {
    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
      if (result.getMetaData().getColumnLabel(i).equals("v")) {
        return i;
      }
    }
    return 0;
  }

  private static String literal(String sql, long... arguments) {
    String text = sql;
    for (long argument : arguments) {
      text = text.replaceFirst("\\?", Long.toString(argument));
    }
    return text;
  }
}
