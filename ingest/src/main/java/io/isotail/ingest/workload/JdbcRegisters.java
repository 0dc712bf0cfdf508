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
  private final Prepared select;
  private final Prepared range;
  private final Prepared update;
  private final Prepared insert;

  JdbcRegisters(Connection connection, RegisterTable table, boolean inserts) {
    super(connection, inserts);
    String name = table.name();
    this.select = prepare("SELECT v FROM " + name + " WHERE k = ?");
    this.range = prepare("SELECT k, v FROM " + name + " WHERE k BETWEEN ? AND ?");
    this.update = prepare("UPDATE " + name + " SET v = ? WHERE k = ?");
    this.insert = prepare("INSERT INTO " + name + " (k, v) VALUES (?, ?)");
  }

  @Override
  public @Nullable Long read(long register) throws SQLException, RefusedException {
    try {
      PreparedStatement statement = select.open();
      statement.setLong(1, register);
      try (ResultSet rows = statement.executeQuery()) {
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
      PreparedStatement statement = range.open();
      statement.setLong(1, first);
      statement.setLong(2, first + count - 1);
      @Nullable Long[] versions = new @Nullable Long[count];
      try (ResultSet rows = statement.executeQuery()) {
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
      PreparedStatement overwrite = update.open();
      overwrite.setLong(1, version);
      overwrite.setLong(2, register);
      if (overwrite.executeUpdate() == 0) {
        if (!inserts) {
          throw new SQLException("register " + register + " is missing");
        }
        PreparedStatement create = insert.open();
        create.setLong(1, register);
        create.setLong(2, version);
        create.executeUpdate();
      }
    } catch (SQLException e) {
      throw orRefused(e);
    }
  }

  /** In one transaction. */
  @Override
  public int make(int registers) throws SQLException {
    PreparedStatement create = insert.open();
    for (int key = 0; key < registers; key++) {
      create.setLong(1, key);
      create.setLong(2, key + 1L);
      create.addBatch();
    }
    create.executeBatch();
    connection.commit();
    return 1;
  }
}
