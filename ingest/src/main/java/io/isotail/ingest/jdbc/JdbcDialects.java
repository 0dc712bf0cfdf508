package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.capture.Dialects;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The dialect of the database behind a connection. */
final class JdbcDialects {
  private JdbcDialects() {}

  /**
   * The dialect of the database as the driver names it, else as the URL does. {@code
   * jdbc:aws-wrapper:postgresql:} names a driver, and only its connection knows the database.
   *
   * @param url of the real driver
   */
  static Dialect of(Connection real, @Nullable String url) {
    return Dialects.ofProduct(productName(real), DatabaseUrl.database(url));
  }

  private static String productName(Connection real) {
    try {
      String name = real.getMetaData().getDatabaseProductName();
      return name == null ? "" : name;
    } catch (SQLException e) {
      return ""; // The URL tells.
    }
  }
}
