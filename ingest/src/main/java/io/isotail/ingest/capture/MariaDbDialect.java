package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB: its rows do not tell who wrote them, and its binary log does. The id of a transaction is
 * one more than the sequence number of its GTID, so that every id has another one before it.
 */
final class MariaDbDialect extends MysqlDialect {
  /**
   * So many transactions at most stand in the binary log and are not visible yet, or have taken no
   * number and are: each needs a connection, or a thread of the server's own.
   */
  private static final String IN_FLIGHT = "(CAST(@@max_connections AS SIGNED) + 100)";

  private static final String IDENTITY = "CONCAT('mariadb/', @@server_uid)";

  /** The next id that is given out, as long as all transactions are of one domain; else NULL. */
  private static final String NEXT_ID =
      "IF(@@log_bin = 1 AND LOCATE(',', @@gtid_binlog_pos) = 0,"
          + " 2 + CAST(SUBSTRING_INDEX(CONCAT('0', @@gtid_binlog_pos), '-', -1) AS UNSIGNED), NULL)";

  /** The nodes of a Galera cluster number their transactions alike if they are told to. */
  private static final String CLUSTER =
      """
      SELECT (
        SELECT CONCAT('galera/', s.variable_value) FROM information_schema.global_status s
        WHERE s.variable_name = 'WSREP_CLUSTER_STATE_UUID'
          AND s.variable_value <> '' AND s.variable_value NOT LIKE '00000000-%'
          AND 2 = (SELECT COUNT(*) FROM information_schema.global_variables v
            WHERE v.variable_name IN ('WSREP_ON', 'WSREP_GTID_MODE') AND v.variable_value = 'ON'))
      """;

  MariaDbDialect() {
    super("mariadb");
  }

  /** Of declared tables without a schema nobody but the application knows what they mean. */
  @Override
  public @Nullable String settingsQuery(List<ObservedTable> tables, @Nullable String identity) {
    if (!tables.stream().allMatch(table -> table.content() != null)) {
      return null;
    }
    String names =
        tables.stream()
            .map(MariaDbDialect::meaning)
            .collect(Collectors.joining(", ", "CONCAT('', ", ")"));
    return "SELECT REPLACE(LOWER(@@tx_isolation), '-', ' '), 'no', %s, %s, CURRENT_USER(), @@last_gtid"
        .formatted(identity == null ? "NULL" : identity, tables.isEmpty() ? "NULL" : names);
  }

  private static String meaning(ObservedTable table) {
    return "IF(BINARY DATABASE() = BINARY '%s', '%s%s', '%s%s')"
        .formatted(
            escaped(table.schemaOrPublic()),
            UnqualifiedNames.FINDS_TABLE,
            UnqualifiedNames.IS_FIRST,
            UnqualifiedNames.FINDS_OTHER,
            UnqualifiedNames.MAY_BE_HIDDEN);
  }

  @Override
  public boolean questionsBeginNone() {
    return true;
  }

  @Override
  public boolean tellsTemporaryTables() {
    return false;
  }

  @Override
  public String databaseIdentity(int majorVersion) {
    return IDENTITY;
  }

  @Override
  public String clusterQuery() {
    return CLUSTER;
  }

  @Override
  public String runningQuery() {
    return "SELECT GREATEST(2, CAST(%1$s AS SIGNED) - %2$s), %1$s".formatted(NEXT_ID, IN_FLIGHT);
  }

  @Override
  public String committedIdQuery() {
    return "SELECT IF(@@sql_log_bin AND @@last_gtid <> '',"
        + " 1 + CAST(SUBSTRING_INDEX(@@last_gtid, '-', -1) AS UNSIGNED), NULL), @@last_gtid";
  }

  @Override
  public String tablesQuery() {
    return MariaDbCatalog.TABLES;
  }

  @Override
  public String surveyQuery() {
    return MariaDbCatalog.SURVEY;
  }

  @Override
  public String columnsQuery() {
    return MariaDbCatalog.COLUMNS;
  }
}
