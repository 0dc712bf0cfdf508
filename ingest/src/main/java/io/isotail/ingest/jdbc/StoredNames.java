package io.isotail.ingest.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * How a database stores a name that a statement has without quotes. Tables are declared to isotail
 * as PostgreSQL would store them, in lower case; H2, HSQLDB, Derby, Firebird and Oracle store upper
 * case, as the SQL standard has it.
 */
enum StoredNames {
  /** As it is declared. */
  AS_DECLARED,
  /** In upper case. */
  UPPER_CASE;

  /**
   * How the database behind a connection does it; asks nothing of the server with usual drivers.
   */
  static StoredNames of(Connection connection) {
    try {
      return connection.getMetaData().storesUpperCaseIdentifiers() ? UPPER_CASE : AS_DECLARED;
    } catch (SQLException e) {
      return AS_DECLARED;
    }
  }

  /** The stored name as it is declared. */
  String declared(String stored) {
    return turned(stored);
  }

  /** The declared name as it is stored. */
  String stored(String declared) {
    return turned(declared);
  }

  /** Upper to lower case and lower to upper; a name of both is the same, as it had quotes. */
  private String turned(String name) {
    if (this == AS_DECLARED) {
      return name;
    }
    String upper = name.toUpperCase(Locale.ROOT);
    String lower = name.toLowerCase(Locale.ROOT);
    return name.equals(upper) ? lower : name.equals(lower) ? upper : name;
  }
}
