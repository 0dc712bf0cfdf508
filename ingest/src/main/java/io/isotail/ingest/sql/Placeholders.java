package io.isotail.ingest.sql;

/** How a statement text names its parameters. */
public enum Placeholders {
  /** It has none. */
  NONE,
  /** {@code ?}, one after another: as JDBC has them. A question mark is then no operator. */
  QUESTION_MARKS,
  /** {@code $1}, by number: as PostgreSQL's protocol has them. */
  NUMBERED
}
