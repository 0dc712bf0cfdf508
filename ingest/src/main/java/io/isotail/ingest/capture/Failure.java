package io.isotail.ingest.capture;

import io.isotail.ingest.sql.Rewriting;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an error says about the statement that raised it.
 *
 * <p>Only an error that the server itself reports says that the statement, or the commit, had no
 * effect. Anything else (a broken connection, a client-side exception after the reply) leaves it
 * open.
 *
 * @param sqlState the SQLSTATE of the error; null if it has none
 * @param vendorCode the number that the database's vendor gives the error, {@code 1213} for MySQL's
 *     deadlock; 0 if it has none
 * @param message what it says for people; null if that is not told
 */
public record Failure(@Nullable String sqlState, int vendorCode, @Nullable String message) {

  /** SQLSTATE classes of errors that a server reports instead of taking effect. */
  private static final Set<String> REFUSED =
      Set.of(
          "0A", "0B", "0F", "0L", "0P", "0Z", "20", "21", "22", "23", "24", "25", "26", "27", "28",
          "2B", "2D", "2F", "34", "38", "39", "3B", "3D", "3F", "40", "42", "44", "53", "54", "55",
          "F0", "HV", "P0");

  /** The outcome of the commit is not known although the class is that of a rollback. */
  private static final String COMPLETION_UNKNOWN = "40003";

  /** The client knows that there is no connection and sends nothing. */
  private static final String NO_CONNECTION = "08003";

  /** Undefined column, undefined table: the message names it, whatever its language. */
  private static final Set<String> NAMING = Set.of("42703", "42P01", "42S22");

  private static final String NO_TABLE = "42P01";

  private static final String CANCELED = "57014";

  /** An error of which the message is not told. */
  public Failure(@Nullable String sqlState, int vendorCode) {
    this(sqlState, vendorCode, null);
  }

  /** Whether the statement certainly had no effect. */
  boolean hadNoEffect() {
    String state = sqlState;
    return state != null
        && !state.equals(COMPLETION_UNKNOWN)
        && (state.equals(NO_CONNECTION) || state.equals(CANCELED) || isRefused(state));
  }

  /** Whether the commit certainly had no effect. */
  boolean commitHadNoEffect() {
    String state = sqlState;
    return state != null
        && !state.equals(COMPLETION_UNKNOWN)
        && (state.equals(NO_CONNECTION) || isRefused(state));
  }

  /** Whether the connection is gone. */
  boolean connectionLost() {
    String state = sqlState;
    return state != null && (state.startsWith("08") || state.startsWith("57P"));
  }

  /**
   * Whether the class is that of a transaction that was rolled back. Databases put errors into it
   * that undo their statement alone, and errors whose effect is not known.
   */
  boolean ofRollbackClass() {
    String state = sqlState;
    return state != null && state.startsWith("40");
  }

  /** Whether it says that a transaction of two phases was rolled back: XA100 to XA107. */
  boolean ofXaRollback() {
    String state = sqlState;
    return state != null && state.startsWith("XA1");
  }

  /**
   * Whether the server may have refused the statement for columns that were added to it: one is not
   * there, may not be read, or cannot be returned. An error about a name that nothing added has is
   * the application's own.
   *
   * @param added how the statement was rewritten
   */
  boolean mayBeOfAddedColumns(Rewriting added, Dialect dialect) {
    String state = sqlState;
    if (state == null || !dialect.mayRefuseColumns(this)) {
      return false;
    }
    String told = message;
    return told == null
        || !NAMING.contains(state)
        || added.mayBeNamedIn(firstLine(told), !state.equals(NO_TABLE));
  }

  /** Without a hint, which may name any column. */
  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  private static boolean isRefused(String state) {
    return state.length() == 5 && REFUSED.contains(state.substring(0, 2));
  }
}
