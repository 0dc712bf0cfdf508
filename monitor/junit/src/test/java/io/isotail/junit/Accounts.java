package io.isotail.junit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The application under test: accounts that are read, and written by what was read. */
final class Accounts {
  private final DataSource database;

  Accounts(DataSource database) {
    this.database = database;
  }

  /** Makes the table with accounts 1 to 9, through whatever connection. */
  static void create(DataSource anyhow) throws SQLException {
    try (Connection c = anyhow.getConnection();
        Statement s = c.createStatement()) {
      s.execute("DROP TABLE IF EXISTS accounts");
      s.execute("CREATE TABLE accounts (id int PRIMARY KEY, amount int NOT NULL)");
      for (int id = 1; id <= 9; id++) {
        s.execute("INSERT INTO accounts VALUES (%d, 100)".formatted(id));
      }
    }
  }

  /** A transaction that has read. */
  record Deposit(Connection connection, int id, int read) {
    void commit(int amount) throws SQLException {
      try (connection;
          PreparedStatement update =
              connection.prepareStatement("UPDATE accounts SET amount = ? WHERE id = ?")) {
        update.setInt(1, read + amount);
        update.setInt(2, id);
        update.executeUpdate();
        connection.commit();
      }
    }

    void rollBack() throws SQLException {
      connection.rollback();
      connection.close();
    }
  }

  Deposit begin(int id) throws SQLException {
    Connection connection = database.getConnection();
    connection.setAutoCommit(false);
    return new Deposit(connection, id, read(connection, id));
  }

  static int read(Connection connection, int id) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT amount FROM accounts WHERE id = ?")) {
      select.setInt(1, id);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  /** One after the other. */
  void deposit(int id, int amount) throws SQLException {
    begin(id).commit(amount);
  }

  /** Both read before either writes, so that one of them is lost. */
  void depositTwiceAtOnce(int id) throws SQLException {
    Deposit first = begin(id);
    Deposit second = begin(id);
    first.commit(10);
    second.commit(20);
  }
}
