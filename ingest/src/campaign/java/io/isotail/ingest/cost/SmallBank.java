package io.isotail.ingest.cost;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;

/**
 * Short transactions over accounts: the shape of SmallBank (Alomari, Cahill, Fekete, Röhm, The Cost
 * of Serializability on Platforms That Use Snapshot Isolation, ICDE 2008).
 */
final class SmallBank implements Workload {
  private static final int CUSTOMERS = 100_000;
  private static final int KINDS = 4;

  @Override
  public String name() {
    return "small-bank";
  }

  @Override
  public List<String> tables() {
    String all = " FROM generate_series(1, " + CUSTOMERS + ") i";
    return List.of(
        "CREATE TABLE accounts (custid bigint PRIMARY KEY, name varchar(64) NOT NULL)",
        "CREATE INDEX ON accounts (name)",
        "CREATE TABLE savings (custid bigint PRIMARY KEY, bal float NOT NULL)",
        "CREATE TABLE checking (custid bigint PRIMARY KEY, bal float NOT NULL)",
        "INSERT INTO accounts SELECT i, lpad(i::text, 64, '0')" + all,
        "INSERT INTO savings SELECT i, 1000" + all,
        "INSERT INTO checking SELECT i, 1000" + all);
  }

  @Override
  public Client client(Connection connection, Random random) {
    return new Customer(connection, random);
  }

  private record Customer(Connection c, Random random) implements Client {
    @Override
    public void transaction() throws SQLException {
      long one = account();
      switch (random.nextInt(KINDS)) {
        case 0 -> {
          balance("savings", one);
          balance("checking", one);
        }
        case 1 -> add("checking", one, 1);
        case 2 -> {
          double total = balance("savings", one) + balance("checking", one);
          add("checking", one, total < 5 ? -6 : -5);
        }
        default -> {
          long other = account();
          if (balance("checking", one) >= 5) {
            add("checking", Math.min(one, other), -5);
            add("checking", Math.max(one, other), 5);
          }
        }
      }
      c.commit();
    }

    private long account() throws SQLException {
      String name = "%064d".formatted(1 + random.nextInt(CUSTOMERS));
      try (PreparedStatement find =
          c.prepareStatement("SELECT custid, name FROM accounts WHERE name = ?")) {
        find.setString(1, name);
        try (ResultSet row = find.executeQuery()) {
          row.next();
          return row.getLong(1);
        }
      }
    }

    private double balance(String table, long custid) throws SQLException {
      try (PreparedStatement read =
          c.prepareStatement("SELECT bal FROM " + table + " WHERE custid = ?")) {
        read.setLong(1, custid);
        try (ResultSet row = read.executeQuery()) {
          row.next();
          return row.getDouble(1);
        }
      }
    }

    private void add(String table, long custid, double amount) throws SQLException {
      try (PreparedStatement write =
          c.prepareStatement("UPDATE " + table + " SET bal = bal + ? WHERE custid = ?")) {
        write.setDouble(1, amount);
        write.setLong(2, custid);
        write.executeUpdate();
      }
    }
  }
}
