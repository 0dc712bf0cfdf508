package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The dialect of the database behind a connection. */
final class JdbcDialects {
  /** Databases that are told by their name, whichever driver or wrapper the URL names. */
  private static final Map<String, String> DATABASES =
      Map.of("PostgreSQL", "postgresql", "MySQL", "mysql", "MariaDB", "mariadb");

  private JdbcDialects() {}

  /**
   * The dialect of the database as the driver names it, else as the URL does. {@code
   * jdbc:aws-wrapper:postgresql:} names a driver, and only its connection knows the database.
   *
   * @param url of the real driver
   */
  static Dialect of(Connection real, @Nullable String url) {
    String database = DATABASES.get(productName(real));
    return Dialect.of(database == null ? DatabaseUrl.database(url) : database);
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
