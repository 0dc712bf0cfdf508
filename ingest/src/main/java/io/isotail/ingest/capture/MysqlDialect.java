package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.SqlSyntax;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB, and every database that has no dialect of its own: an error undoes its
 * statement alone, or the transaction with it, and nothing is claimed that JDBC does not promise.
 */
final class MysqlDialect implements Dialect {
  private static final Set<String> FAMILY = Set.of("mysql", "mariadb");

  /** Rolls the whole transaction back, whatever the settings. */
  private static final int DEADLOCK = 1213;

  /**
   * Errors with SQLSTATE HY000 that may roll the whole transaction back. A lock wait timeout (1205)
   * does so if {@code innodb_rollback_on_timeout} is on; Connector/J puts it into class 40. A full
   * table of locks (1206) and MariaDB's "record has changed since last read" (1020) do so in some
   * versions.
   */
  private static final Set<Integer> MAY_ROLL_BACK = Set.of(1205, 1206, 1020);

  private final String database;

  MysqlDialect(String database) {
    this.database = database;
  }

  @Override
  public String database() {
    return database;
  }

  @Override
  public SqlSyntax syntax() {
    return FAMILY.contains(database) ? SqlSyntax.MYSQL : SqlSyntax.UNKNOWN;
  }

  @Override
  public @Nullable String defaultSchema() {
    return null;
  }

  @Override
  public boolean undoesSettings() {
    return !FAMILY.contains(database);
  }

  @Override
  public boolean setsLevelOfNext() {
    return true;
  }

  @Override
  public String unknownLevel() {
    return database + "-unknown:read-uncommitted";
  }

  @Override
  public @Nullable String settingsQuery(List<ObservedTable> tables, @Nullable String identity) {
    return null;
  }

  @Override
  public AfterFailure afterFailure(Failure failure) {
    boolean rollback = failure.ofRollbackClass();
    if (rollback && failure.hadNoEffect() && failure.vendorCode() == DEADLOCK) {
      return AfterFailure.ROLLED_BACK;
    }
    return rollback || MAY_ROLL_BACK.contains(failure.vendorCode())
        ? AfterFailure.UNCERTAIN
        : AfterFailure.GOES_ON;
  }

  @Override
  public boolean undoesFailedBatches() {
    return false;
  }

  @Override
  public boolean closingRollsBack() {
    return false; // A driver may commit.
  }

  @Override
  public boolean keepsTransactionWithoutAutoCommit() {
    return false;
  }
}
