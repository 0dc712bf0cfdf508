package io.isotail.ingest.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** All that an application can see of a statement: rows, meta data, counts, keys and errors. */
final class SeenByApplication {
  private final List<String> seen = new ArrayList<>();

  /** How a statement is sent. */
  enum Way {
    STATEMENT,
    QUERY_OR_UPDATE,
    PREPARED,
    PREPARED_TWICE,
    SCROLLABLE,
    UPDATABLE,
    FETCHED_IN_PORTIONS,
    ALL_KEYS,
    STATEMENT_ALL_KEYS,
    NAMED_KEYS,
    UNREAD_KEYS,
    BATCH,
    PREPARED_BATCH,
    CALLABLE
  }

  /** Runs a statement in one way and tells what is seen. */
  static List<String> of(Connection c, Way way, String sql) {
    SeenByApplication application = new SeenByApplication();
    try {
      application.run(c, way, sql);
    } catch (SQLException e) {
      application.error(e);
    } catch (RuntimeException e) {
      // Without the message, which the JVM leaves out of what is thrown often.
      application.seen.add("the driver failed: " + e.getClass());
    }
    return application.seen;
  }

  private void error(SQLException e) {
    for (SQLException one = e; one != null; one = one.getNextException()) {
      String message = one.getMessage();
      seen.add(one.getClass().getSimpleName() + " " + one.getSQLState() + " " + message);
    }
  }

  private void run(Connection c, Way way, String sql) throws SQLException {
    switch (way) {
      case STATEMENT -> {
        try (Statement s = c.createStatement()) {
          results(s, s.execute(sql));
          seen.add("keys " + columns(s.getGeneratedKeys()));
        }
      }
      case QUERY_OR_UPDATE -> {
        try (Statement s = c.createStatement()) {
          if (sql.regionMatches(true, 0, "select", 0, 6)) {
            rows(s.executeQuery(sql));
          } else {
            seen.add("count " + s.executeUpdate(sql));
          }
        }
      }
      case PREPARED -> prepared(c.prepareStatement(sql), 1);
      case PREPARED_TWICE -> prepared(c.prepareStatement(sql), 7);
      case SCROLLABLE ->
          scrolled(
              c.prepareStatement(
                  sql, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY));
      case UPDATABLE ->
          prepared(
              c.prepareStatement(sql, ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE), 1);
      case FETCHED_IN_PORTIONS -> {
        PreparedStatement s = c.prepareStatement(sql);
        s.setFetchSize(2);
        prepared(s, 1);
      }
      case ALL_KEYS -> {
        try (PreparedStatement s = c.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
          metaData("statement", s.getMetaData());
          seen.add(s.execute() + " " + s.getUpdateCount());
          rows(s.getGeneratedKeys());
          results(s, false);
        }
      }
      case STATEMENT_ALL_KEYS -> {
        try (Statement s = c.createStatement()) {
          results(s, s.execute(sql, Statement.RETURN_GENERATED_KEYS));
          rows(s.getGeneratedKeys());
        }
      }
      case NAMED_KEYS -> {
        String[] names = {sql.contains("serialised") ? "id" : sql.contains("Odd") ? "Id" : "k"};
        try (PreparedStatement s = c.prepareStatement(sql, names)) {
          seen.add(s.execute() + " " + s.getUpdateCount());
          rows(s.getGeneratedKeys());
        }
        try (Statement s = c.createStatement()) {
          seen.add("count " + s.executeUpdate(sql, names));
          rows(s.getGeneratedKeys());
        }
      }
      case UNREAD_KEYS -> {
        try (PreparedStatement s = c.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
          results(s, s.execute());
          seen.add("again " + s.execute());
          ResultSet keys = s.getGeneratedKeys();
          seen.add(keys.isBeforeFirst() + " " + keys.getRow() + " " + keys.getType());
          if (keys.next()) {
            seen.add(keys.isFirst() + keys.getString(1) + keys.isLast() + keys.isAfterLast());
          }
        }
      }
      case BATCH -> {
        try (Statement s = c.createStatement()) {
          s.addBatch(sql);
          s.addBatch("UPDATE reg SET w = 'batch' WHERE k = 2");
          counts(s.executeBatch());
        }
      }
      case PREPARED_BATCH -> {
        try (PreparedStatement s = c.prepareStatement(sql)) {
          s.addBatch();
          s.addBatch();
          counts(s.executeBatch());
          s.addBatch();
          counts(s.executeBatch());
        }
      }
      case CALLABLE -> {
        try (PreparedStatement s = c.prepareCall(sql)) {
          results(s, s.execute());
        }
      }
    }
  }

  private void counts(int[] counts) {
    for (int count : counts) {
      seen.add("count " + count);
    }
  }

  private void prepared(PreparedStatement statement, int times) throws SQLException {
    try (statement) {
      metaData("statement", statement.getMetaData());
      for (int i = 0; i < times; i++) {
        results(statement, statement.execute());
      }
    }
  }

  private void scrolled(PreparedStatement statement) throws SQLException {
    try (statement) {
      if (statement.execute()) {
        ResultSet rows = statement.getResultSet();
        seen.add("last " + rows.last() + " " + rows.getRow());
        seen.add("first " + rows.first() + " " + rows.getRow());
        rows.beforeFirst();
        rows(rows);
      } else {
        seen.add("count " + statement.getUpdateCount());
      }
    }
  }

  private void results(Statement s, boolean rows) throws SQLException {
    boolean more = rows;
    while (true) {
      if (more) {
        rows(s.getResultSet());
      } else {
        int count = s.getUpdateCount();
        if (count < 0) {
          return;
        }
        seen.add("count " + count);
      }
      more = s.getMoreResults();
    }
  }

  private static String columns(ResultSet rows) throws SQLException {
    return rows.next() ? "rows" : "none";
  }

  private void metaData(String of, ResultSetMetaData metaData) throws SQLException {
    if (metaData == null) {
      seen.add(of + " without columns");
      return;
    }
    for (int i = 1; i <= metaData.getColumnCount(); i++) {
      seen.add(
          "%s column %d %s %s %s %s %d"
              .formatted(
                  of,
                  i,
                  metaData.getColumnLabel(i),
                  metaData.getColumnTypeName(i),
                  metaData.getTableName(i),
                  metaData.getColumnClassName(i),
                  metaData.isNullable(i)));
    }
    try {
      metaData.getColumnLabel(metaData.getColumnCount() + 1);
      seen.add("one column more");
    } catch (SQLException e) {
      seen.add(e.getSQLState() + " " + e.getMessage());
    }
  }

  private void rows(ResultSet rows) throws SQLException {
    metaData("result", rows.getMetaData());
    int columns = rows.getMetaData().getColumnCount();
    seen.add("before first " + rows.isBeforeFirst());
    while (rows.next()) {
      StringBuilder row = new StringBuilder("row " + rows.getRow());
      for (int i = 1; i <= columns; i++) {
        Object value = rows.getObject(i);
        row.append(" | ").append(value).append(rows.wasNull() ? " null" : "");
        row.append(' ').append(rows.getString(rows.getMetaData().getColumnLabel(i)));
      }
      seen.add(row.toString().replaceAll("\\d{4}-\\d\\d-\\d\\d [\\d:.+]+", "a time"));
      outOfRange(rows, columns + 1);
    }
    try {
      rows.findColumn("isotail_h1");
      seen.add("a hidden column is found");
    } catch (SQLException e) {
      seen.add(e.getSQLState() + " " + e.getMessage());
    }
    rows.close();
  }

  private void outOfRange(ResultSet rows, int column) {
    try {
      seen.add("one more: " + rows.getObject(column));
    } catch (SQLException e) {
      seen.add(e.getSQLState() + " " + e.getMessage());
    }
  }
}
