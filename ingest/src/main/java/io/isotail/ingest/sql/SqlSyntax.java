package io.isotail.ingest.sql;

/**
 * How a family of databases writes SQL, as far as it decides what is a name, what is a value and
 * where a statement ends.
 */
public enum SqlSyntax {
  /** PostgreSQL: a double quote begins a name, comments nest, a dollar quotes. */
  POSTGRESQL,

  /**
   * MySQL and MariaDB: a backtick begins a name. A double quote begins a string, or a name where
   * the server's {@code sql_mode} has {@code ANSI_QUOTES}, which is not known.
   */
  MYSQL,

  /** Any other: only what all databases read alike is understood. */
  UNKNOWN;

  /** Whether the texts of this syntax are read by the rules of one database. */
  boolean isPostgresql() {
    return this == POSTGRESQL;
  }
}
