package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import java.util.List;

/** PostgreSQL: an error dooms its transaction, and the server tells what names mean. */
final class PostgresDialect implements Dialect {
  static final String DATABASE = "postgresql";

  @Override
  public String database() {
    return DATABASE;
  }

  @Override
  public String defaultSchema() {
    return "public";
  }

  @Override
  public String settingsQuery(List<ObservedTable> tables) {
    StringBuilder sql =
        new StringBuilder("SELECT pg_catalog.current_setting('transaction_isolation')");
    for (ObservedTable table : tables) {
      sql.append(", (SELECT n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n")
          .append(" ON n.oid = c.relnamespace WHERE c.oid = pg_catalog.to_regclass(")
          .append(literal(quoted(table.name())))
          .append(")), CASE WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_class c")
          .append(" JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relname = ")
          .append(literal(table.name()))
          .append(" AND (n.oid = pg_catalog.pg_my_temp_schema() OR n.nspname = 'pg_catalog'))")
          .append(" THEN 'yes' ELSE 'no' END");
    }
    return sql.toString();
  }

  private static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  @Override
  public AfterFailure afterFailure(Failure failure) {
    return failure.hadNoEffect() ? AfterFailure.DOOMED : AfterFailure.GOES_ON;
  }

  @Override
  public boolean undoesFailedBatches() {
    return true; // Or dooms the transaction with them.
  }

  @Override
  public boolean closingRollsBack() {
    return true;
  }

  @Override
  public boolean keepsTransactionWithoutAutoCommit() {
    return true;
  }
}
