package io.isotail.ingest.jdbc;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Names of isolation levels as records carry them: {@code postgresql:repeatable-read}. */
final class Isolation {
  private Isolation() {}

  /** The level of a JDBC constant. */
  static @Nullable String of(String database, int level) {
    return switch (level) {
      case Connection.TRANSACTION_READ_UNCOMMITTED -> database + ":read-uncommitted";
      case Connection.TRANSACTION_READ_COMMITTED -> database + ":read-committed";
      case Connection.TRANSACTION_REPEATABLE_READ -> database + ":repeatable-read";
      case Connection.TRANSACTION_SERIALIZABLE -> database + ":serializable";
      default -> null;
    };
  }

  /** The level that SQL names, as in {@code repeatable read}. */
  static @Nullable String of(String database, String sqlName) {
    return switch (sqlName) {
      case "read uncommitted", "read committed", "repeatable read", "serializable" ->
          database + ":" + sqlName.replace(' ', '-');
      default -> null;
    };
  }
}
