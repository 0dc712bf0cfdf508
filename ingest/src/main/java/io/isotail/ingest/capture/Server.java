package io.isotail.ingest.capture;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database behind one session, as far as capture must ask it. The carrier of the session's
 * statements implements it: a driver asks the connection that it wraps, a proxy its own.
 *
 * <p>Called on the application's threads, under the session's lock, never while a statement of the
 * application runs. A checked exception says that the server could not be asked; it is counted, and
 * what was asked for stays unknown.
 */
public interface Server extends Catalog<Exception> {

  /** State of the session's transaction. */
  enum TransactionState {
    /** No transaction is open. */
    IDLE,
    /** A transaction is open. */
    OPEN,
    /** A transaction is open and can only be rolled back. */
    FAILED,
    /** It is not told. */
    UNKNOWN
  }

  /** Questions to a server. */
  interface Questions {
    /** Asks them. */
    void ask() throws Exception;
  }

  @Override
  Dialect dialect();

  /** The state after the server's last reply, known without asking. */
  TransactionState state();

  /** Process id of the session's backend, known without asking; 0 when unknown. */
  int backendPid();

  /** The first number of the server's version, known without asking; 0 when unknown. */
  int majorVersion();

  /** Which copy of the database it is, as the server reported it last, known without asking. */
  default DatabaseCopy copy() {
    return DatabaseCopy.NOT_TOLD;
  }

  /**
   * What decides at connect which tables names mean and what may be done with them: the database,
   * the role and the search path, as far as they are known without asking. Equal for sessions that
   * do not differ in it.
   */
  default String names() {
    return "";
  }

  /** What the session calls its application, known without asking; null when it does not tell. */
  default @Nullable String applicationName() {
    return null;
  }

  /**
   * Whether savepoints are set around statements that the application has not asked for, known
   * without asking.
   */
  default boolean setsSavepoints() {
    return false;
  }

  /**
   * Whether an answer that is too long costs the connection. Nothing may be asked then, and nothing
   * added to what the application asks.
   */
  default boolean limitsAnswers() {
    return false;
  }

  /**
   * Whether the server can be asked at this moment. Where it cannot, what is to be asked waits for
   * {@link SessionCapture#refresh}, or is told by {@link SessionCapture#toldWriter}.
   */
  default boolean canAsk() {
    return true;
  }

  /** Asks questions of an idle session so that none of them begins a transaction of its own. */
  void outsideOfTransactions(Questions questions) throws Exception;

  /**
   * The level of the next transaction as SQL names it, {@code repeatable read}; null if unknown.
   */
  @Nullable String isolation() throws Exception;

  /** The rows that a query answers with, their values as text. */
  List<List<@Nullable String>> rows(String query) throws Exception;

  /** The first row that a query answers with, its values as text; null when there is none. */
  @Nullable List<@Nullable String> firstRow(String query) throws Exception;

  /**
   * Whether a question failed because it was cancelled, as by a limit of time that the application
   * has set: nothing of isotail failed, and the server may answer the next time.
   */
  boolean wasCutShort(Exception failure);

  /** Whether an SQLSTATE says that a statement was cancelled, or waited too long for a lock. */
  static boolean isCutShort(@Nullable String sqlState) {
    return "57014".equals(sqlState) || "55P03".equals(sqlState);
  }
}
