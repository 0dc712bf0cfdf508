package io.isotail.monitor.bank;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** What all the bank's statements share. */
final class Statements {
  static final String DUPLICATE_KEY = "23505";
  static final String CHECK_VIOLATION = "23514";

  private static final int MAX_PAUSE_NS = 600_000;

  private Statements() {}

  /** Runs an update and says how many rows it hit. */
  static int update(Connection c, String sql, long... parameters) throws SQLException {
    try (PreparedStatement s = c.prepareStatement(sql)) {
      bind(s, parameters);
      return s.executeUpdate();
    }
  }

  /** Runs an update that must hit its row. */
  static void updateOne(Connection c, String sql, long... parameters)
      throws SQLException, StaleVersionException {
    if (update(c, sql, parameters) != 1) {
      throw new StaleVersionException();
    }
  }

  /** Reads the only row's columns, empty when there is none. */
  static long[] row(Connection c, String sql, long... parameters) throws SQLException {
    try (PreparedStatement s = c.prepareStatement(sql)) {
      bind(s, parameters);
      try (ResultSet rows = s.executeQuery()) {
        if (!rows.next()) {
          return new long[0];
        }
        long[] row = new long[rows.getMetaData().getColumnCount()];
        for (int i = 0; i < row.length; i++) {
          row[i] = rows.getLong(i + 1);
        }
        rows.next();
        return row;
      }
    }
  }

  /** Reads every row. */
  static void read(Connection c, String sql, long... parameters) throws SQLException {
    try (PreparedStatement s = c.prepareStatement(sql)) {
      bind(s, parameters);
      try (ResultSet rows = s.executeQuery()) {
        while (rows.next()) {
          rows.getLong(1);
        }
      }
    }
  }

  /** {@code (?, ?, ?)} for so many parameters. */
  static String list(int parameters) {
    return "(" + String.join(", ", Collections.nCopies(parameters, "?")) + ")";
  }

  /** What an application computes between two statements; lets other sessions in between. */
  static void think(SplittableRandom random) {
    LockSupport.parkNanos(random.nextInt(MAX_PAUSE_NS));
  }

  static void bind(PreparedStatement s, long... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      s.setLong(i + 1, parameters[i]);
    }
  }
}
