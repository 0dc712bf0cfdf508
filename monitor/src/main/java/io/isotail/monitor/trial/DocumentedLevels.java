package io.isotail.monitor.trial;

import io.isotail.incremental.level.IsolationLevel;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * What databases document for their isolation levels, as far as reads and writes of single rows go.
 * Where a manual says less than it may mean, the weaker level counts: nobody is woken for what was
 * never promised. The module's guide quotes the manuals.
 */
public final class DocumentedLevels {
  private DocumentedLevels() {}

  /**
   * What the database behind a connection documents.
   *
   * @return null if it documents nothing that can be checked, or is not known here
   */
  public static @Nullable IsolationLevel of(Connection c, DatabaseIsolation isolation)
      throws SQLException {
    DatabaseIsolation asked = isolation == DatabaseIsolation.DEFAULT ? levelOf(c) : isolation;
    if (asked == null) {
      return null;
    }
    String product = c.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" ->
          switch (asked) {
            case READ_UNCOMMITTED, READ_COMMITTED -> IsolationLevel.READ_COMMITTED;
            case REPEATABLE_READ -> IsolationLevel.SNAPSHOT_ISOLATION;
            default -> IsolationLevel.SERIALIZABLE;
          };
      case "MariaDB", "MySQL" ->
          switch (asked) {
            case READ_UNCOMMITTED -> null;
            case READ_COMMITTED -> IsolationLevel.READ_COMMITTED;
            // A snapshot for what is read, and the latest version for what is overwritten.
            case REPEATABLE_READ ->
                "1".equals(told(c, "SELECT @@innodb_snapshot_isolation"))
                    ? IsolationLevel.SNAPSHOT_ISOLATION
                    : IsolationLevel.PREFIX;
            default -> IsolationLevel.SERIALIZABLE;
          };
      case "H2" ->
          switch (asked) {
            case READ_UNCOMMITTED -> null;
            case READ_COMMITTED, REPEATABLE_READ -> IsolationLevel.READ_COMMITTED;
            // "Doesn't ensure equivalence of concurrent and serializable execution."
            default -> IsolationLevel.PREFIX;
          };
      case "HSQL Database Engine" ->
          switch (asked) {
            case READ_UNCOMMITTED -> null;
            case READ_COMMITTED -> IsolationLevel.READ_COMMITTED;
            default ->
                "MVCC".equals(told(c, "CALL TRANSACTION_CONTROL()"))
                    ? IsolationLevel.SNAPSHOT_ISOLATION
                    : IsolationLevel.SERIALIZABLE;
          };
      case "Apache Derby" ->
          switch (asked) {
            case READ_UNCOMMITTED -> null;
            case READ_COMMITTED, REPEATABLE_READ -> IsolationLevel.READ_COMMITTED;
            default -> IsolationLevel.SERIALIZABLE;
          };
      case "SQLite" ->
          asked == DatabaseIsolation.READ_UNCOMMITTED ? null : IsolationLevel.SERIALIZABLE;
      case "DuckDB" -> IsolationLevel.SNAPSHOT_ISOLATION;
      default ->
          // Its driver tells the version beside the name.
          product.startsWith("Firebird")
              ? switch (asked) {
                case READ_UNCOMMITTED -> null;
                case READ_COMMITTED -> IsolationLevel.READ_COMMITTED;
                // Table stability locks tables, and is not said to be serializable.
                default -> IsolationLevel.SNAPSHOT_ISOLATION;
              }
              : null;
    };
  }

  private static @Nullable DatabaseIsolation levelOf(Connection c) throws SQLException {
    int level = c.getTransactionIsolation();
    for (DatabaseIsolation each : DatabaseIsolation.values()) {
      if (each.jdbc() == level && each != DatabaseIsolation.DEFAULT) {
        return each;
      }
    }
    return null;
  }

  /** The first column of the first row; null where the database does not know the question. */
  private static @Nullable String told(Connection c, String query) {
    try (Statement s = c.createStatement();
        ResultSet rows = s.executeQuery(query)) {
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      return null;
    }
  }
}
