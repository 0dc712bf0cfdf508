package io.isotail.ingest.workload;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The table of a workload's registers, of two columns: {@code k}, the number of the register, and
 * {@code v}, the number of its version. Where registers are lists, {@code v} is a text of the
 * numbers that were appended, each behind a space. In SQL that most relational databases
 * understand; Oracle has no {@code bigint}.
 *
 * @param name as written in statements
 * @param ofLists whether registers are lists
 */
public record RegisterTable(String name, boolean ofLists) {
  /** Room for a list that is replaced after 32 appends, and for what was under way then. */
  private static final String LIST_TYPE = "varchar(2000)";

  /** A table whose registers have one version at a time. */
  public RegisterTable(String name) {
    this(name, false);
  }

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
      String type = ofLists ? LIST_TYPE : "bigint";
      s.execute(
          "CREATE TABLE %s (k bigint NOT NULL PRIMARY KEY, v %s NOT NULL)".formatted(name, type));
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
}
