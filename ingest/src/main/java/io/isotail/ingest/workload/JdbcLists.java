package io.isotail.ingest.workload;

import io.isotail.ingest.store.ListSession;
import io.isotail.ingest.store.RefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A session on the rows of a table, each of which is a list: a text of numbers, each behind a
 * space. The database itself appends, so that nobody has to have read the list.
 */
final class JdbcLists extends JdbcSession implements ListSession {
  private final Prepared select;
  private final Prepared append;
  private final Prepared insert;

  JdbcLists(Connection connection, RegisterTable table) throws SQLException {
    super(connection, true);
    String name = table.name();
    this.select = prepare("SELECT v FROM " + name + " WHERE k = ?");
    this.append = prepare("UPDATE " + name + " SET v = " + appended(connection) + " WHERE k = ?");
    this.insert = prepare("INSERT INTO " + name + " (k, v) VALUES (?, ?)");
  }

  /** In MariaDB and MySQL two bars mean "or". */
  private static String appended(Connection connection) throws SQLException {
    return switch (connection.getMetaData().getDatabaseProductName()) {
      case "MariaDB", "MySQL" -> "concat(v, ?)";
      default -> "v || CAST(? AS varchar(24))";
    };
  }

  @Override
  public List<Long> list(long register) throws SQLException, RefusedException {
    try {
      PreparedStatement statement = select.open();
      statement.setLong(1, register);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? numbers(rows.getString(1)) : List.of();
      }
    } catch (SQLException e) {
      throw orRefused(e);
    }
  }

  private static List<Long> numbers(String text) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    for (String number : text.strip().split(" ", -1)) {
      try {
        numbers.add(Long.parseLong(number));
      } catch (NumberFormatException e) {
        throw new SQLException("found the list '%s'; expected numbers".formatted(text), e);
      }
    }
    return numbers;
  }

  @Override
  public void write(long register, long version) throws SQLException, RefusedException {
    try {
      PreparedStatement add = append.open();
      add.setString(1, " " + version);
      add.setLong(2, register);
      if (add.executeUpdate() == 0) {
        PreparedStatement create = insert.open();
        create.setLong(1, register);
        create.setString(2, " " + version);
        create.executeUpdate();
      }
    } catch (SQLException e) {
      throw orRefused(e);
    }
  }
}
