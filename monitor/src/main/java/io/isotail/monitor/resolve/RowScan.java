package io.isotail.monitor.resolve;

import io.isotail.ingest.capture.RowIdentities;
import io.isotail.ingest.jdbc.JdbcRow;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.Operand;
import io.isotail.monitor.terminal.Printable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the keys of tables as a stream and has them compared. */
public final class RowScan {
  /** Rows that the database sends at once. */
  private static final int FETCH_ROWS = 10_000;

  /** SQLSTATE class of values that cannot be converted, as a numeric NaN. */
  private static final String DATA_EXCEPTION = "22";

  private final Connection database;
  private final KeyMatcher matcher;
  private final RowIdentities rows;
  private final long limit;
  private final SearchListener listener;

  /**
   * A scan.
   *
   * @param database inside a transaction, so that rows can stream
   * @param limit rows read of one table at most
   */
  public RowScan(Connection database, KeyMatcher matcher, long limit, SearchListener listener) {
    this.database = database;
    this.matcher = matcher;
    this.rows = matcher.rows();
    this.limit = limit;
    this.listener = listener;
  }

  /**
   * Reads each table, as long as something in it is wanted; returns the number of rows read.
   *
   * @throws ResolveException when a table cannot be read
   */
  public long run() throws ResolveException {
    long read = 0;
    for (SearchTable table : matcher.tables()) {
      if (matcher.isWanted(table) && hasIdentities(table)) {
        try {
          read += scan(table);
        } catch (SQLException e) {
          throw new ResolveException(
              "%s: %s".formatted(table.shown(), Printable.escaped(String.valueOf(e.getMessage()))),
              e);
        }
      }
    }
    return read;
  }

  private boolean hasIdentities(SearchTable table) {
    for (ObservedTable.Column column : table.first().key()) {
      ColumnType type = rows.type(table.first(), column);
      if (type == null || type == ColumnType.UNSUPPORTED) {
        listener.note(
            "%s: key column %s %s; skipped"
                .formatted(
                    table.shown(),
                    Printable.value(column.name()),
                    type == null
                        ? "was not found in the database"
                        : "is of a type of which the driver hashes no keys"));
        return false;
      }
    }
    return true;
  }

  private long scan(SearchTable table) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet result = statement.executeQuery(query(table))) {
        long read = 0;
        while (matcher.isWanted(table) && result.next()) {
          if (read == limit) {
            listener.note("%s: stopped after %,d rows (--limit)".formatted(table.shown(), limit));
            return read;
          }
          read++;
          listener.rowRead(table);
          compare(result, table);
        }
        return read;
      }
    }
  }

  private static String query(SearchTable table) {
    StringBuilder sql = new StringBuilder("SELECT ");
    for (ObservedTable.Column column : table.first().key()) {
      sql.append(SearchTable.quote(column.name())).append(", ");
    }
    sql.append(table.versioned() ? SearchTable.quote(table.first().version().name()) : "0");
    return sql.append(" FROM ").append(table.quoted()).toString();
  }

  private void compare(ResultSet result, SearchTable table) throws SQLException {
    ObservedTable first = table.first();
    JdbcRow row = new JdbcRow(result);
    List<Object> values = new ArrayList<>();
    String version = null;
    try {
      for (ObservedTable.Column column : first.key()) {
        values.add(value(row, values.size() + 1, rows.type(first, column)));
      }
      if (table.versioned()) {
        Object value = value(row, values.size() + 1, rows.type(first, first.version()));
        version = rows.versionText(first, value);
      }
    } catch (SQLException e) {
      if (e.getSQLState() != null && e.getSQLState().startsWith(DATA_EXCEPTION)) {
        return; // The driver has no identity for such a value either.
      }
      throw e;
    }
    matcher.compare(table, values, version);
  }

  private static Object value(JdbcRow row, int column, @Nullable ColumnType type)
      throws SQLException {
    return type == null ? Operand.UNKNOWN : row.value(column, type);
  }
}
