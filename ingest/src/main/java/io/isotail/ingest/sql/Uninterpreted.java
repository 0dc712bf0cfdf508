package io.isotail.ingest.sql;

/** Why a statement, or a part of what it did, is not recorded as reads and writes of keys. */
public enum Uninterpreted {
  /** The parser does not understand the text. */
  PARSE_FAILED,
  /** The text is longer or deeper nested than a limit, or took the parser too long. */
  TOO_COMPLEX,
  /** Several statements in one text. */
  SEVERAL_STATEMENTS,
  /** Reads an observed table in a join. */
  JOIN,
  /** Reads an observed table through an aggregate, a grouping or a set operation. */
  AGGREGATE,
  /** Reads an observed table in a common table expression or in a subquery. */
  SUBQUERY,
  /** Calls a function of which nothing is known. */
  UNKNOWN_FUNCTION,
  /** Writes rows that its condition does not name by their full key. */
  NO_KEY_CONDITION,
  /** Changes key columns. */
  KEY_CHANGED,
  /** Inserts what a query returns, or default values. */
  INSERT_WITHOUT_VALUES,
  /** Writes in a form that is not interpreted: TRUNCATE, COPY, MERGE, CALL, DO, EXECUTE, DDL. */
  UTILITY,
  /** The table's schema is not clear: an unknown qualifier, or a changed search path. */
  SCHEMA_UNCLEAR,
  /** A writing common table expression. */
  WRITING_CTE,
  /**
   * Says something that only the database's own dialect tells: whether a quoted text is a name, or
   * at which level a table is read.
   */
  DIALECT_UNCLEAR
}
