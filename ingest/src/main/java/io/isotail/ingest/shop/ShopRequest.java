package io.isotail.ingest.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A request while it is answered. Owned by the thread that answers it. */
public final class ShopRequest {
  private final Connection connection;
  private final String route;
  private final long[] ids;
  private final long number;
  private final Runnable pause;

  /**
   * A request of which nothing is answered yet.
   *
   * @param connection its transaction
   * @param route what the comments of its statements tell
   * @param ids the items or customers that it is about, in order
   * @param number a number that no other request has
   * @param pause what happens at the place where a request may be interrupted
   */
  public ShopRequest(Connection connection, String route, long[] ids, long number, Runnable pause) {
    this.connection = connection;
    this.route = route;
    this.ids = ids.clone();
    this.number = number;
    this.pause = pause;
  }

  /** The items or customers that it is about, in order. */
  public long[] ids() {
    return ids.clone();
  }

  /** A number that no other request has. */
  public long number() {
    return number;
  }

  /** Reads the first column of all rows. */
  public List<Long> read(String sql, long... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      List<Long> first = new ArrayList<>();
      while (rows.next()) {
        first.add(rows.getLong(1));
      }
      return first;
    }
  }

  /** Runs a write, which has to find a row. */
  public void write(String sql, long... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(sql, parameters)) {
      if (statement.executeUpdate() == 0) {
        throw new IllegalStateException("no row: " + sql);
      }
    }
  }

  /** The place where this request may be interrupted. */
  public void interruptible() {
    pause.run();
  }

  private PreparedStatement prepare(String sql, long... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql + " /*route='" + route + "'*/");
    for (int i = 0; i < parameters.length; i++) {
      statement.setLong(i + 1, parameters[i]);
    }
    return statement;
  }
}
