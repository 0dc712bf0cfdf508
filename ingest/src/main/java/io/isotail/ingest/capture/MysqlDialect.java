package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.MysqlSql;
import io.isotail.ingest.sql.SqlDialect;
import java.util.Set;

/** MySQL and MariaDB: an error undoes its statement alone, or the transaction with it. */
class MysqlDialect implements Dialect {
  /** Rolls the whole transaction back, whatever the settings. */
  private static final int DEADLOCK = 1213;

  /**
   * Errors with SQLSTATE HY000 that may roll the whole transaction back. A lock wait timeout (1205)
   * does so if {@code innodb_rollback_on_timeout} is on; Connector/J puts it into class 40. A full
   * table of locks (1206) and MariaDB's "record has changed since last read" (1020) do so in some
   * versions.
   */
  private static final Set<Integer> MAY_ROLL_BACK = Set.of(1205, 1206, 1020);

  /**
   * Ambiguous and unknown column (1052, 1054), not in GROUP BY (1055, 1056), a name twice (1060),
   * syntax (1064), too many columns (1117, 1118), no right to a table or a column (1142, 1143),
   * other counts of columns (1222, 1241), a column that cannot be referred to (1247), collations
   * that do not mix (1267, 1270, 1271).
   */
  private static final Set<Integer> OF_COLUMNS =
      Set.of(
          1052, 1054, 1055, 1056, 1060, 1064, 1117, 1118, 1142, 1143, 1222, 1241, 1247, 1267, 1270,
          1271);

  private final String database;

  MysqlDialect(String database) {
    this.database = database;
  }

  @Override
  public String database() {
    return database;
  }

  @Override
  public SqlDialect sql() {
    return MysqlSql.DIALECT;
  }

  @Override
  public String collationsQuery(String table) {
    return "SELECT column_name, collation_name FROM information_schema.columns"
        + " WHERE table_schema = DATABASE() AND table_name = '%s'".formatted(escaped(table));
  }

  /**
   * Most collations take letters for the same whatever their case and accents. Those that compare
   * bytes ignore blanks at the end, unless their names say otherwise.
   */
  @Override
  public ColumnType collated(ColumnType declared, String collation) {
    if (!collation.endsWith("_bin")) {
      return ColumnType.UNSUPPORTED;
    }
    boolean blanksCount = collation.contains("_nopad_") || collation.contains("_0900_");
    return blanksCount ? declared : ColumnType.PADDED_TEXT;
  }

  /** A text within the quotes of a string, where a backslash may hide a quote or not. */
  static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("'", "''");
  }

  @Override
  public boolean lockingReadsAreCurrent() {
    return true;
  }

  @Override
  public boolean undoesSettings() {
    return false;
  }

  @Override
  public boolean mayRefuseColumns(Failure failure) {
    return OF_COLUMNS.contains(failure.vendorCode());
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
}
