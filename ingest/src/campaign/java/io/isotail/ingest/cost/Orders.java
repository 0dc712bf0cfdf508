package io.isotail.ingest.cost;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * New orders and payments: the two transactions that are most of TPC-C, with composite keys, locks
 * and batches.
 */
final class Orders implements Workload {
  private static final int DISTRICTS = 50;
  private static final int CUSTOMERS = 3_000;
  private static final int ITEMS = 20_000;
  private static final int LINES = 10;

  @Override
  public String name() {
    return "orders";
  }

  @Override
  public List<String> tables() {
    return List.of(
        "CREATE TABLE district (d_id int PRIMARY KEY, d_tax numeric, d_ytd numeric, d_next int)",
        "CREATE TABLE customer (c_d_id int, c_id int, c_balance numeric, c_data varchar(500),"
            + " PRIMARY KEY (c_d_id, c_id))",
        "CREATE TABLE item (i_id int PRIMARY KEY, i_name varchar(24), i_price numeric)",
        "CREATE TABLE stock (s_i_id int PRIMARY KEY, s_quantity int, s_ytd numeric, s_dist text)",
        "CREATE TABLE oorder (o_d_id int, o_id int, o_c_id int, o_entry timestamp,"
            + " PRIMARY KEY (o_d_id, o_id))",
        "CREATE TABLE order_line (ol_d_id int, ol_o_id int, ol_number int, ol_i_id int,"
            + " ol_amount numeric, ol_dist text, PRIMARY KEY (ol_d_id, ol_o_id, ol_number))",
        "CREATE TABLE history (h_d_id int, h_c_id int, h_amount numeric, h_data varchar(24))",
        "INSERT INTO district SELECT i, 0.1, 0, 1 FROM generate_series(1, " + DISTRICTS + ") i",
        "INSERT INTO customer SELECT d, c, 0, repeat('c', 300) FROM generate_series(1, "
            + (DISTRICTS + ") d, generate_series(1, " + CUSTOMERS + ") c"),
        "INSERT INTO item SELECT i, 'item', 9.5 FROM generate_series(1, " + ITEMS + ") i",
        "INSERT INTO stock SELECT i, 50, 0, repeat('d', 24) FROM generate_series(1, "
            + (ITEMS + ") i"));
  }

  @Override
  public Client client(Connection connection, Random random) {
    return new Terminal(connection, random);
  }

  private record Terminal(Connection c, Random random) implements Client {
    @Override
    public void transaction() throws SQLException {
      int district = 1 + random.nextInt(DISTRICTS);
      int customer = 1 + random.nextInt(CUSTOMERS);
      if (random.nextBoolean()) {
        order(district, customer);
      } else {
        pay(district, customer);
      }
      c.commit();
    }

    private void order(int district, int customer) throws SQLException {
      read(
          "SELECT c_balance, c_data FROM customer WHERE c_d_id = ? AND c_id = ?",
          district,
          customer);
      int order = read("SELECT d_next, d_tax FROM district WHERE d_id = ? FOR UPDATE", district);
      write("UPDATE district SET d_next = d_next + 1 WHERE d_id = ?", district);
      write(
          "INSERT INTO oorder (o_d_id, o_id, o_c_id, o_entry) VALUES (?, ?, ?, now())",
          district,
          order,
          customer);
      TreeSet<Integer> items = new TreeSet<>();
      while (items.size() < LINES) {
        items.add(1 + random.nextInt(ITEMS));
      }
      try (PreparedStatement stock =
              c.prepareStatement(
                  "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ? WHERE s_i_id = ?");
          PreparedStatement line =
              c.prepareStatement(
                  "INSERT INTO order_line (ol_d_id, ol_o_id, ol_number, ol_i_id, ol_amount,"
                      + " ol_dist) VALUES (?, ?, ?, ?, ?, ?)")) {
        int number = 0;
        for (int item : items) {
          read("SELECT i_price, i_name FROM item WHERE i_id = ?", item);
          int quantity =
              read("SELECT s_quantity, s_dist FROM stock WHERE s_i_id = ? FOR UPDATE", item);
          stock.setInt(1, quantity > 10 ? quantity - 1 : 91);
          stock.setInt(2, 1);
          stock.setInt(3, item);
          stock.addBatch();
          line.setInt(1, district);
          line.setInt(2, order);
          line.setInt(3, ++number);
          line.setInt(4, item);
          line.setInt(5, 9);
          line.setString(6, "dddddddddddddddddddddddd");
          line.addBatch();
        }
        line.executeBatch();
        stock.executeBatch();
      }
    }

    private void pay(int district, int customer) throws SQLException {
      write("UPDATE district SET d_ytd = d_ytd + 5 WHERE d_id = ?", district);
      read("SELECT d_next, d_tax FROM district WHERE d_id = ?", district);
      read(
          "SELECT c_balance, c_data FROM customer WHERE c_d_id = ? AND c_id = ?",
          district,
          customer);
      write(
          "UPDATE customer SET c_balance = c_balance - 5 WHERE c_d_id = ? AND c_id = ?",
          district,
          customer);
      write(
          "INSERT INTO history (h_d_id, h_c_id, h_amount, h_data) VALUES (?, ?, 5, 'payment')",
          district,
          customer);
    }

    /** The first column of the first row. */
    private int read(String sql, int... parameters) throws SQLException {
      try (PreparedStatement statement = c.prepareStatement(sql)) {
        set(statement, parameters);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          row.getString(2);
          return row.getInt(1);
        }
      }
    }

    private void write(String sql, int... parameters) throws SQLException {
      try (PreparedStatement statement = c.prepareStatement(sql)) {
        set(statement, parameters);
        statement.executeUpdate();
      }
    }

    private static void set(PreparedStatement statement, int... parameters) throws SQLException {
      for (int i = 0; i < parameters.length; i++) {
        statement.setInt(i + 1, parameters[i]);
      }
    }
  }
}
