package io.isotail.ingest.sql;

import org.jspecify.annotations.Nullable;

/**
 * Transaction control that was sent as a statement.
 *
 * @param kind what it does
 * @param isolation isolation level that it names, as in {@code repeatable read}; null if none
 * @param name name of the savepoint or of the prepared transaction, or what is set; null if none
 * @param chain whether a new transaction begins at once (AND CHAIN)
 */
public record TransactionControl(
    Kind kind, @Nullable String isolation, @Nullable String name, boolean chain) {

  /** What it does. */
  public enum Kind {
    /** BEGIN, START TRANSACTION. */
    BEGIN,
    /** COMMIT, END. */
    COMMIT,
    /** ROLLBACK, ABORT. */
    ROLLBACK,
    /** SAVEPOINT. */
    SAVEPOINT,
    /** ROLLBACK TO SAVEPOINT. */
    ROLLBACK_TO,
    /** RELEASE SAVEPOINT. */
    RELEASE,
    /**
     * PREPARE TRANSACTION: the transaction leaves the session and its fate is decided elsewhere.
     */
    PREPARE,
    /** COMMIT PREPARED, in any session. */
    COMMIT_PREPARED,
    /** ROLLBACK PREPARED, in any session. */
    ROLLBACK_PREPARED,
    /** SET TRANSACTION ISOLATION LEVEL, SET transaction_isolation: the transaction under way. */
    SET_TRANSACTION,
    /** SET TRANSACTION SNAPSHOT: the transaction under way sees what another one sees. */
    IMPORT_SNAPSHOT,
    /** SET SESSION CHARACTERISTICS, SET default_transaction_isolation: later transactions. */
    SET_SESSION,
    /** RESET, DISCARD: settings return to values that are not in the text. */
    RESET_SETTINGS,
    /** SET search_path, SET SCHEMA: unqualified names may mean other tables from now on. */
    SET_SEARCH_PATH,
    /** SET autocommit, by the name {@code on} or {@code off}. */
    SET_AUTO_COMMIT,
    /** SET ROLE, SET SESSION AUTHORIZATION: so do these, which may open other schemas. */
    SET_ROLE
  }

  /** Name of what XA START, XA COMMIT and XA ROLLBACK begin and end. */
  private static final String XA = "xa";

  static TransactionControl ofXa(Kind kind) {
    return new TransactionControl(kind, null, XA, false);
  }

  /**
   * Whether it is of a transaction of two phases. It may be prepared, or be another one than that
   * of the session, which only the server knows.
   */
  public boolean isOfXa() {
    return XA.equals(name) && (kind == Kind.BEGIN || kind == Kind.COMMIT || kind == Kind.ROLLBACK);
  }

  /** Whether the transaction under way commits by it, at once or later. */
  public boolean endsWithCommit() {
    return kind == Kind.COMMIT || kind == Kind.PREPARE;
  }

  /** Whether it may commit the transaction under way; BEGIN does so on some databases. */
  boolean mayCommit() {
    return endsWithCommit() || kind == Kind.BEGIN || kind == Kind.SET_AUTO_COMMIT;
  }

  static TransactionControl of(Kind kind) {
    return new TransactionControl(kind, null, null, false);
  }
}
