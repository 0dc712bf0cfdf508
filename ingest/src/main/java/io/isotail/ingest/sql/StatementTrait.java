package io.isotail.ingest.sql;

/** What the text of a statement may do beside reading and writing the observed tables. */
public enum StatementTrait {
  /** It may create, change or drop an observed table. */
  DEFINES_TABLES,
  /** It may do that unseen, as a procedure can. */
  MAY_DEFINE_TABLES,
  /** It makes a table that may be worth observing, and changes none. */
  MAKES_TABLE,
  /** It may change which table an unqualified name of an observed table means, in any session. */
  MOVES_NAMES,
  /** It holds several statements of which some matter, or a text that is not understood. */
  SEVERAL_STATEMENTS,
  /** It may end the transaction of the application, or end one and begin another. */
  ENDS_TRANSACTION,
  /** It commits the transaction under way by itself, as definitions do on most databases. */
  COMMITS_TRANSACTION,
  /** It may commit on its own in autocommit mode, as procedures can, and fail afterwards. */
  COMMITS_INSIDE,
  /** It may change the session's isolation level or search path unseen. */
  CHANGES_SETTINGS,
  /** It sets something that may be the isolation level, and says so in a way that is not known. */
  MAY_SET_LEVEL,
  /**
   * Its text tells that it may change the role, and so the rights, other than by SET ROLE alone.
   */
  CHANGES_ROLE,
  /** A locking clause: rows are locked, and read again, as they are fetched. */
  LOCKS_ROWS
}
