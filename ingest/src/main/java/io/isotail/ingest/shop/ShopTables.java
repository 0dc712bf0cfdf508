package io.isotail.ingest.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables of the shop, in the schema in which a connection makes tables. */
public final class ShopTables {
  /** Items, and customers. */
  public static final int ROWS = 40;

  private static final long PRICE = 100;
  private static final long STOCK = 100_000;
  private static final long BALANCE = 100_000;

  private ShopTables() {}

  /** Makes them, empty. */
  public static void create(Connection connection) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute("CREATE TABLE item (id bigint PRIMARY KEY, price bigint NOT NULL)");
      s.execute("CREATE TABLE stock (item bigint PRIMARY KEY, amount bigint NOT NULL)");
      s.execute("CREATE TABLE purchase (id bigint PRIMARY KEY, item bigint NOT NULL)");
      s.execute("CREATE TABLE invoice (id bigint PRIMARY KEY, customer bigint NOT NULL)");
      s.execute(
          "CREATE TABLE account (customer bigint, kind bigint, balance bigint NOT NULL,"
              + " PRIMARY KEY (customer, kind))");
    }
  }

  /**
   * Inserts the rows that are there when the shop opens.
   *
   * @param connection without autocommit; they are committed in one transaction
   */
  public static void fill(Connection connection) throws SQLException {
    try (PreparedStatement item =
            connection.prepareStatement("INSERT INTO item (id, price) VALUES (?, ?)");
        PreparedStatement stock =
            connection.prepareStatement("INSERT INTO stock (item, amount) VALUES (?, ?)");
        PreparedStatement account =
            connection.prepareStatement(
                "INSERT INTO account (customer, kind, balance) VALUES (?, ?, ?)")) {
      for (long row = 0; row < ROWS; row++) {
        insert(item, row, PRICE);
        insert(stock, row, STOCK);
        insert(account, row, 0, BALANCE);
        insert(account, row, 1, BALANCE);
      }
    }
    connection.commit();
  }

  private static void insert(PreparedStatement statement, long... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setLong(i + 1, values[i]);
    }
    statement.executeUpdate();
  }
}
