package io.isotail.ingest.sql;

/** Why a statement, or a part of what it did, is not recorded as reads and writes of keys. */
public enum Uninterpreted {
  /** The parser does not understand the text. */
  PARSE_FAILED(
      "isotail does not understand the text.",
      "Report the text. If it only reads, nothing else is lost."),
  /** The text is longer or deeper nested than a limit, or took the parser too long. */
  TOO_COMPLEX(
      "The text is longer or deeper nested than what is looked at.",
      "Split it, or send its values as parameters."),
  /** Several statements in one text. */
  SEVERAL_STATEMENTS("Several statements are sent in one text.", "Send each by itself."),
  /** Reads an observed table in a join. */
  JOIN(
      "A join whose rows do not tell which rows they are made of.",
      "On PostgreSQL see that isotail.rewrite is on and that each table has a key."),
  /** Reads an observed table through an aggregate, a grouping or a set operation. */
  AGGREGATE(
      "Its rows are made of many rows: an aggregate, a grouping, a set operation.",
      "None: it is sent as it is. What other statements read stays checked."),
  /** Reads an observed table in a common table expression or in a subquery. */
  SUBQUERY(
      "It reads the table in a subquery or a common table expression.",
      "A join or a condition by key is captured."),
  /** Calls a function of which nothing is known. */
  UNKNOWN_FUNCTION(
      "It calls a function that may write anything.",
      "Name the function in isotail.harmless-functions if it writes no observed table. Nearly all"
          + " that come with PostgreSQL are trusted once its catalog has been asked."),
  /** Writes rows that its condition does not name by their full key. */
  NO_KEY_CONDITION(
      "It writes rows that its condition does not name by their key.",
      "None, if it writes few rows: the driver learns that. Else write by key."),
  /** Changes key columns. */
  KEY_CHANGED("It changes key columns.", "Give rows a key that does not change."),
  /** Inserts what a query returns, or default values. */
  INSERT_WITHOUT_VALUES(
      "It inserts what a query returns, or default values.",
      "On PostgreSQL see that isotail.rewrite is on."),
  /** Writes in a form that is not interpreted: TRUNCATE, COPY, MERGE, CALL, DO, EXECUTE, DDL. */
  UTILITY(
      "It writes in a form that does not tell rows: TRUNCATE, COPY, MERGE, CALL, DO or a definition.",
      "Expected in migrations. In normal work use INSERT, UPDATE and DELETE."),
  /** The table's schema is not clear: an unknown qualifier, or a changed search path. */
  SCHEMA_UNCLEAR(
      "Which table the name means was not known at that moment.",
      "Name the schema in the statement, or do not change search_path and roles while connections are in use."),
  /** A writing common table expression. */
  WRITING_CTE("A common table expression that writes.", "Send the write by itself."),
  /**
   * Says something that only the database's own dialect tells: whether a quoted text is a name, or
   * at which level a table is read.
   */
  DIALECT_UNCLEAR(
      "What it means depends on the database’s own dialect, as a quoted text that may be a name or a value.",
      "Leave names unquoted, send values as parameters, and write one table with each statement."),
  /** It writes rows of which the database's log tells what became of them. */
  TOLD_BY_LOG(
      "The database’s log tells what it wrote, to whoever follows it.",
      "None, as long as the log is followed.");

  private final String words;
  private final String advice;

  Uninterpreted(String words, String advice) {
    this.words = words;
    this.advice = advice;
  }

  /** Why, in a sentence for people. */
  public String words() {
    return words;
  }

  /** What to do about it. */
  public String advice() {
    return advice;
  }
}
