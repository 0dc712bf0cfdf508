package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB, and every database that has no dialect of its own: an error undoes its
 * statement alone, or the transaction with it, and nothing is claimed that JDBC does not promise.
 */
final class MysqlDialect implements Dialect {
  private final String database;

  MysqlDialect(String database) {
    this.database = database;
  }

  @Override
  public String database() {
    return database;
  }

  @Override
  public @Nullable String defaultSchema() {
    return null;
  }

  @Override
  public @Nullable String settingsQuery(List<ObservedTable> tables) {
    return null;
  }

  @Override
  public AfterFailure afterFailure(Failure failure) {
    return failure.transactionRolledBack() ? AfterFailure.ROLLED_BACK : AfterFailure.GOES_ON;
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
