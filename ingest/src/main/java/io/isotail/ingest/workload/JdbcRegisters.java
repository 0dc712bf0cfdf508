package io.isotail.ingest.workload;

import io.isotail.ingest.store.RefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session on the rows of a table, each of which has one version at a time. */
final class JdbcRegisters extends JdbcSession {
  private final RegisterTable table;
  private final boolean inserts;
  private final PreparedStatement select;
  private final PreparedStatement update;
  private final PreparedStatement insert;
  private @Nullable PreparedStatement range;

  JdbcRegisters(Connection connection, RegisterTable table, boolean inserts) throws SQLException {
    super(connection, inserts);
    this.table = table;
    this.inserts = inserts;
    String name = table.name();
    this.select = prepare("SELECT v FROM " + name + " WHERE k = ?");
    this.update = prepare("UPDATE " + name + " SET v = ? WHERE k = ?");
    this.insert = prepare("INSERT INTO " + name + " (k, v) VALUES (?, ?)");
  }

  @Override
  public @Nullable Long read(long register) throws SQLException, RefusedException {
    try {
      select.setLong(1, register);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? (Long) rows.getLong(1) : null;
      }
    } catch (SQLException e) {
      throw orRefused(e);
    }
  }

  @Override
  public List<@Nullable Long> readRange(long first, int count)
      throws SQLException, RefusedException {
    try {
      if (range == null) {
        range = prepare("SELECT k, v FROM " + table.name() + " WHERE k BETWEEN ? AND ?");
      }
      range.setLong(1, first);
      range.setLong(2, first + count - 1);
      @Nullable Long[] versions = new @Nullable Long[count];
      try (ResultSet rows = range.executeQuery()) {
        while (rows.next()) {
          versions[(int) (rows.getLong(1) - first)] = rows.getLong(2);
        }
      }
      return Arrays.asList(versions);
    } catch (SQLException e) {
      throw orRefused(e);
    }
  }

  @Override
  public void write(long register, long version) throws SQLException, RefusedException {
    try {
      update.setLong(1, version);
      update.setLong(2, register);
      if (update.executeUpdate() == 0) {
        if (!inserts) {
          throw new SQLException("register " + register + " is missing");
        }
        insert.setLong(1, register);
        insert.setLong(2, version);
        insert.executeUpdate();
      }
    } catch (SQLException e) {
      throw orRefused(e);
    }
  }

  /** In one transaction. */
  @Override
  public int make(int registers) throws SQLException {
    for (int key = 0; key < registers; key++) {
      insert.setLong(1, key);
      insert.setLong(2, key + 1L);
      insert.addBatch();
    }
    insert.executeBatch();
    connection.commit();
    return 1;
  }
}
