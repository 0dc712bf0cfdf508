package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What MariaDB's catalog is asked. */
public final class MariaDbCatalog {
  /**
   * The kind of a column, as {@link io.isotail.ingest.sql.RowContent.Kind} names it; NULL for one
   * that is left out: that the user may not read, of unlimited length, computed, filled with zeros,
   * of a time of day, a year, JSON, or of a character set that is not certain.
   */
  private static final String KIND =
      """
      CASE
        WHEN NOT FIND_IN_SET('select', c.privileges) OR c.is_generated <> 'NEVER' OR c.column_type LIKE '%zerofill%' THEN NULL
        WHEN c.data_type IN ('tinyint', 'smallint', 'mediumint', 'int', 'bigint') THEN 'integer'
        WHEN c.data_type = 'decimal' THEN 'decimal'
        WHEN c.data_type IN ('varchar', 'char') AND c.character_maximum_length <= 1024 THEN
          CASE
            WHEN c.character_set_name NOT IN ('utf8mb3', 'utf8mb4', 'utf8', 'ascii', 'latin1')
              THEN NULL
            WHEN c.character_set_name = 'latin1' THEN 'other_text'
            WHEN c.data_type = 'char' THEN 'padded_text'
            ELSE 'text' END
        WHEN c.data_type IN ('date', 'datetime', 'timestamp', 'uuid') THEN c.data_type
        WHEN c.data_type IN ('enum', 'set', 'bit') THEN 'numbered'
        WHEN c.column_type IN ('float', 'double', 'float unsigned', 'double unsigned')
          THEN 'floating'
        WHEN c.data_type IN ('binary', 'varbinary') AND c.character_maximum_length <= 255
          THEN 'bytes' END""";

  /** The type of a key's column, as {@link io.isotail.ingest.sql.ColumnType#named} takes it. */
  private static final String KEY_TYPE =
      """
      CASE
        WHEN (%s) IS NULL THEN 'unsupported'
        WHEN c.data_type = 'binary' THEN 'varbinary'
        ELSE c.data_type END"""
          .formatted(KIND);

  /**
   * The tables of the current database whose changes the log tells whole: of InnoDB, without
   * versions of its own, with a primary key, a name that is another one in any case, and not
   * changed by cascades, which are no part of the log. Nodes of a cluster must number transactions
   * alike. See {@link TableFacts#of}; the last column is what makes the content of a row.
   */
  static final String TABLES = tables("", "WHERE q.why IS NULL");

  /** All tables of the current database, with why they are not observed; none has a late key. */
  static final String SURVEY = tables(", q.why, 'no'", "");

  private static String tables(String columns, String condition) {
    return """
        SELECT q.table_schema, q.table_name, 'yes', q.names, q.types, 'no', NULL, 'no', q.size, 'no',
          q.content%s
        FROM (
          SELECT t.table_schema, t.table_name, k.names, k.types, r.content,
            CASE WHEN t.table_rows > 1000000 THEN 'large'
              WHEN t.table_rows BETWEEN 1 AND 5000 THEN 'small' END AS size,
            CASE
              WHEN t.table_type LIKE '%%VIEW' THEN 'view'
              WHEN @@log_bin = 0 OR g.variable_name IS NOT NULL OR @@sql_log_bin = 0 OR @@binlog_format <> 'ROW'
                OR @@binlog_row_image <> 'FULL' THEN 'no-row-log'
              WHEN t.table_type <> 'BASE TABLE' OR t.engine <> 'InnoDB' THEN 'not-logged'
              WHEN f.table_name IS NOT NULL THEN 'cascaded'
              WHEN d.name IS NOT NULL THEN 'not-on-path'
              WHEN k.names IS NULL OR r.content IS NULL THEN 'no-key' END AS why
          FROM information_schema.tables t
          LEFT JOIN (
            SELECT s.table_name,
              GROUP_CONCAT(LOWER(c.column_name) ORDER BY s.seq_in_index SEPARATOR 0x1f) AS names,
              GROUP_CONCAT(%s ORDER BY s.seq_in_index SEPARATOR 0x1f) AS types
            FROM information_schema.statistics s
            JOIN information_schema.columns c ON c.table_schema = s.table_schema
              AND c.table_name = s.table_name AND c.column_name = s.column_name
            WHERE s.table_schema = DATABASE() AND s.index_name = 'PRIMARY'
            GROUP BY s.table_name) k ON k.table_name = t.table_name
          LEFT JOIN (
            SELECT c.table_name,
              GROUP_CONCAT(CONCAT(LOWER(c.column_name), CHAR(31 USING utf8mb4), c.kind)
                ORDER BY c.ordinal_position SEPARATOR 0x1f) AS content
            FROM (
              SELECT c.table_name, c.column_name, c.ordinal_position, %s AS kind
              FROM information_schema.columns c WHERE c.table_schema = DATABASE()) c
            WHERE c.kind IS NOT NULL
            GROUP BY c.table_name) r ON r.table_name = t.table_name
          LEFT JOIN (
            SELECT DISTINCT f.table_name FROM information_schema.referential_constraints f
            WHERE f.constraint_schema = DATABASE()
              AND (f.delete_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT')
                OR f.update_rule IN ('CASCADE', 'SET NULL', 'SET DEFAULT'))) f
            ON f.table_name = t.table_name
          LEFT JOIN (
            SELECT LOWER(d.table_name) AS name FROM information_schema.tables d
            WHERE d.table_schema = DATABASE()
            GROUP BY LOWER(d.table_name) HAVING COUNT(*) > 1) d ON d.name = LOWER(t.table_name)
          LEFT JOIN (
            SELECT o.variable_name FROM information_schema.global_variables o
            LEFT JOIN information_schema.global_variables n
              ON n.variable_name = 'WSREP_GTID_MODE' AND n.variable_value = 'ON'
            WHERE o.variable_name = 'WSREP_ON' AND o.variable_value = 'ON'
              AND n.variable_name IS NULL) g ON TRUE
          WHERE t.table_schema = DATABASE()) q
        %s
        ORDER BY q.table_name
        """
        .formatted(columns, KEY_TYPE, KIND, condition);
  }

  /**
   * The columns of the current database, as {@link PostgresColumns} reads them. What {@link
   * MysqlDialect#collated} says of texts is said here again.
   */
  static final String COLUMNS =
      """
      SELECT c.table_schema, c.table_name, LOWER(c.column_name),
        CASE
          WHEN c.collation_name IS NULL THEN c.data_type
          WHEN c.collation_name NOT LIKE '%\\_bin' THEN 'unsupported'
          WHEN c.collation_name LIKE '%\\_nopad\\_%' THEN c.data_type
          ELSE 'char' END,
        CASE WHEN c.data_type = 'decimal' THEN c.numeric_scale + 4 ELSE -1 END
      FROM information_schema.columns c
      WHERE c.table_schema = DATABASE()
      ORDER BY c.table_name, c.ordinal_position
      """;

  private static final String LOGGED_COLUMNS =
      """
      SELECT c.table_schema, c.table_name, LOWER(c.column_name) AS name, %s AS kind,
        c.data_type, c.column_type, c.character_set_name, c.character_maximum_length,
        c.character_octet_length
      FROM information_schema.columns c
      WHERE c.table_schema = DATABASE()
      ORDER BY c.table_name, c.ordinal_position
      """
          .formatted(KIND);

  private MariaDbCatalog() {}

  /**
   * One query for the tables of the current database that the log is followed for, which are those
   * that the driver observes. {@link #table} reads its rows.
   */
  public static String tables() {
    return TABLES;
  }

  /** The table of a row of {@link #tables}, as it is observed; null if its key has no identity. */
  public static @Nullable ObservedTable table(List<@Nullable String> row) {
    TableFacts facts = TableFacts.of(row);
    return facts.key().isEmpty() ? null : facts.observed();
  }

  /**
   * One query for all columns of the current database in the order of their tables: {@code name},
   * its {@code kind} in a row's content, and what the log does not tell of its values.
   */
  public static String columns() {
    return LOGGED_COLUMNS;
  }
}
