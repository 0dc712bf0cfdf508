package io.isotail.ingest.cost;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Random;

/** Transactions of one read by key, of a row of ten texts: YCSB's workload C. */
final class PointReads implements Workload {
  private static final int ROWS = 100_000;
  private static final int FIELDS = 10;

  @Override
  public String name() {
    return "point-reads";
  }

  @Override
  public List<String> tables() {
    StringBuilder columns = new StringBuilder();
    StringBuilder values = new StringBuilder();
    for (int i = 1; i <= FIELDS; i++) {
      columns.append(", field").append(i).append(" text");
      values.append(", repeat('x', 100)");
    }
    return List.of(
        "CREATE TABLE usertable (ycsb_key int PRIMARY KEY" + columns + ")",
        "INSERT INTO usertable SELECT i" + values + " FROM generate_series(1, " + ROWS + ") i");
  }

  @Override
  public Client client(Connection connection, Random random) {
    return () -> {
      try (PreparedStatement read =
          connection.prepareStatement("SELECT * FROM usertable WHERE ycsb_key = ?")) {
        read.setInt(1, 1 + random.nextInt(ROWS));
        try (ResultSet row = read.executeQuery()) {
          while (row.next()) {
            for (int i = 2; i <= FIELDS + 1; i++) {
              row.getString(i);
            }
          }
        }
      }
      connection.commit();
    };
  }
}
