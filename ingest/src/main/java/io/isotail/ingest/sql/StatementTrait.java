package io.isotail.ingest.sql;

import java.util.Set;

/** What the text of a statement may do beside reading and writing the observed tables. */
public enum StatementTrait {
  /** It may create, change or drop an observed table. */
  DEFINES_TABLES(
      "it may create, change or drop an observed table: nothing is known of them until the catalog is read again"),
  /** It may do that unseen, as a procedure can. */
  MAY_DEFINE_TABLES("it may define tables unseen: the catalog is read again"),
  /** It may make a function that shares its name with one of the database's own. */
  DEFINES_FUNCTIONS(
      "it may make a function: few of the database's own are trusted until the catalog is read again"),
  /** It makes a table that may be worth observing, and changes none. */
  MAKES_TABLE("it makes a table that may be observed from then on"),
  /** It may change which table an unqualified name of an observed table means, in any session. */
  MOVES_NAMES("it may change which table a bare name means"),
  /** It may make a temporary table that its session finds by the name of an observed one. */
  HIDES_TABLES("a temporary table may stand before an observed one in its session"),
  /** It holds several statements of which some matter, or a text that is not understood. */
  SEVERAL_STATEMENTS(
      "several statements, or a text that is not understood: its transaction becomes opaque"),
  /** It may end the transaction of the application, or end one and begin another. */
  ENDS_TRANSACTION("it may end the transaction under way"),
  /** It commits the transaction under way by itself, as definitions do on most databases. */
  COMMITS_TRANSACTION(
      "it commits the transaction under way by itself: what that did becomes opaque, its outcome unknown"),
  /** It may commit on its own in autocommit mode, as procedures can, and fail afterwards. */
  COMMITS_INSIDE("it may commit by itself"),
  /** It may change the session's isolation level or search path unseen. */
  CHANGES_SETTINGS(
      "it may change the next level or the search path unseen: unknown until the server is asked"),
  /** It sets something that may be the isolation level, and says so in a way that is not known. */
  MAY_SET_LEVEL(
      "it may set the isolation level in a way that is not known: nothing is promised until one is set for certain"),
  /**
   * Its text tells that it may change the role, and so the rights, other than by SET ROLE alone.
   */
  CHANGES_ROLE("it may change the role: nothing is added to statements any more"),
  /** A locking clause: rows are locked, and read again, as they are fetched. */
  LOCKS_ROWS("it locks rows, and reads them again when they are fetched"),
  /** It asks what the statement before has done, as by ROW_COUNT(). */
  ASKS_OF_BEFORE("it asks what the statement before has done: the server is asked nothing between");

  /** What other sessions have to know of, too: it changes what the catalog says. */
  public static final Set<StatementTrait> OF_CATALOG =
      Set.of(DEFINES_TABLES, MAY_DEFINE_TABLES, DEFINES_FUNCTIONS, MAKES_TABLE, MOVES_NAMES);

  private final String words;

  StatementTrait(String words) {
    this.words = words;
  }

  /** What follows from it, for people. */
  public String words() {
    return words;
  }
}
