package io.isotail.ingest.capture;

import io.isotail.ingest.sql.AnsiSql;
import io.isotail.ingest.sql.SqlDialect;

/** A database that has no dialect of its own: nothing is claimed that JDBC does not promise. */
final class AnsiDialect implements Dialect {
  private final String database;

  AnsiDialect(String database) {
    this.database = database;
  }

  @Override
  public String database() {
    return database;
  }

  @Override
  public SqlDialect sql() {
    return AnsiSql.DIALECT;
  }

  /** Nothing is added to its statements. */
  @Override
  public boolean mayRefuseColumns(Failure failure) {
    return false;
  }

  /** An error undoes its statement alone, or the transaction with it. */
  @Override
  public AfterFailure afterFailure(Failure failure) {
    return failure.ofRollbackClass() ? AfterFailure.UNCERTAIN : AfterFailure.GOES_ON;
  }

  @Override
  public boolean undoesSettings() {
    return true;
  }
}
