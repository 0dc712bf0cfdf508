package io.isotail.ingest.jdbc;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Isolation levels of JDBC. */
final class JdbcIsolation {
  private JdbcIsolation() {}

  /** What SQL calls the level of a JDBC constant; null if it is none. */
  static @Nullable String sqlName(int level) {
    return switch (level) {
      case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
      case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
      case Connection.TRANSACTION_REPEATABLE_READ -> "repeatable read";
      case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
      default -> null;
    };
  }
}
