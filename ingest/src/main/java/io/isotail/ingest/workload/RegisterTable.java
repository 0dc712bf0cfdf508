package io.isotail.ingest.workload;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table of a workload's registers, of two numbers a row: {@code k}, which register it is, and
 * {@code v}, its version. In SQL that most relational databases understand; Oracle has no {@code
 * bigint}.
 *
 * @param name as written in statements
 */
public record RegisterTable(String name) {

  /** The table as isotail is told to observe it. */
  public String observed() {
    return name + "(k; v)";
  }

  /**
   * Makes it, empty; anew if there is one.
   *
   * @throws SQLException if a table of that name is somebody else's, by its columns
   */
  public void create(ConnectionSource direct) throws SQLException {
    try (Connection c = direct.open();
        Statement s = c.createStatement()) {
      if (exists(c)) {
        requireOwn(s);
        s.execute("DROP TABLE " + name);
      }
      s.execute("CREATE TABLE " + name + " (k bigint NOT NULL PRIMARY KEY, v bigint NOT NULL)");
      commit(c);
    }
  }

  private void requireOwn(Statement s) throws SQLException {
    try (ResultSet none = s.executeQuery("SELECT * FROM " + name + " WHERE 1 = 0")) {
      ResultSetMetaData columns = none.getMetaData();
      if (columns.getColumnCount() != 2
          || !columns.getColumnName(1).equalsIgnoreCase("k")
          || !columns.getColumnName(2).equalsIgnoreCase("v")) {
        throw new SQLException(
            "found a table %s of other columns than k and v; expected none, or one of a workload"
                .formatted(name));
      }
    }
  }

  /** Removes it. */
  public void drop(ConnectionSource direct) throws SQLException {
    try (Connection c = direct.open();
        Statement s = c.createStatement()) {
      s.execute("DROP TABLE " + name);
      commit(c);
    }
  }

  /** How many registers there are, and the greatest version. */
  record Contents(long rows, long greatest) {}

  /** What it holds; null if there is no such table. */
  @Nullable Contents contents(ConnectionSource direct) throws SQLException {
    try (Connection c = direct.open();
        Statement s = c.createStatement()) {
      if (!exists(c)) {
        return null;
      }
      try (ResultSet rows = s.executeQuery("SELECT count(*), max(v) FROM " + name)) {
        rows.next();
        return new Contents(rows.getLong(1), rows.getLong(2));
      }
    }
  }

  private static void commit(Connection c) throws SQLException {
    if (!c.getAutoCommit()) {
      c.commit();
    }
  }

  /** Whether the schema in which the connection makes tables has it. */
  private boolean exists(Connection c) throws SQLException {
    DatabaseMetaData database = c.getMetaData();
    String stored = database.storesUpperCaseIdentifiers() ? name.toUpperCase(Locale.ROOT) : name;
    String pattern = stored.replace("_", database.getSearchStringEscape() + "_");
    try (ResultSet tables =
        database.getTables(c.getCatalog(), c.getSchema(), pattern, new String[] {"TABLE"})) {
      while (tables.next()) {
        if (tables.getString("TABLE_NAME").equalsIgnoreCase(name)) {
          return true;
        }
      }
      return false;
    }
  }

  /** The prepared statements of one connection. */
  Statements on(Connection c) throws SQLException {
    return new Statements(this, c);
  }

  /** Reads and writes single registers. */
  static final class Statements implements AutoCloseable {
    private final PreparedStatement select;
    private final PreparedStatement update;
    private final PreparedStatement insert;

    private Statements(RegisterTable table, Connection c) throws SQLException {
      this.select = c.prepareStatement("SELECT v FROM " + table.name + " WHERE k = ?");
      this.update = c.prepareStatement("UPDATE " + table.name + " SET v = ? WHERE k = ?");
      this.insert = c.prepareStatement(insert(table));
    }

    /** The statement that makes a register of a key and a version. */
    static String insert(RegisterTable table) {
      return "INSERT INTO " + table.name + " (k, v) VALUES (?, ?)";
    }

    /** The version of a register; null if there is no such register. */
    @Nullable Long read(long key) throws SQLException {
      select.setLong(1, key);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? (Long) rows.getLong(1) : null;
      }
    }

    /** Whether there is such a register to overwrite. */
    boolean overwrite(long key, long version) throws SQLException {
      update.setLong(1, version);
      update.setLong(2, key);
      return update.executeUpdate() > 0;
    }

    void insert(long key, long version) throws SQLException {
      insert.setLong(1, key);
      insert.setLong(2, version);
      insert.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      select.close();
      update.close();
      insert.close();
    }
  }
}
