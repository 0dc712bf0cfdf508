package io.isotail.ingest.workload;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Errors after which a transaction is to be tried again: the database could not isolate it. */
public final class TransientFailures {
  /** SQLSTATE class of rollbacks: a serialization failure, a deadlock. */
  private static final String ROLLBACK_CLASS = "40";

  /** SQLSTATE of a transaction of which nobody knows whether it was committed. */
  private static final String COMPLETION_UNKNOWN = "40003";

  /** Of a row that another transaction has inserted. */
  private static final String CONSTRAINT_CLASS = "23";

  /**
   * Codes of errors that databases do not put into the class of rollbacks, by the name of their
   * driver's package. MariaDB: a row that has changed since it was read, a lock that was not given
   * in time. H2: a concurrent update, a lock that was not given. SQLite: busy or locked, in each of
   * their extended forms.
   */
  private static final Map<String, Set<Integer>> CODES =
      Map.of(
          "org.mariadb.", Set.of(1020, 1205, 1213),
          "com.mysql.", Set.of(1205, 1213),
          "org.h2.", Set.of(90_131, 50_200),
          "org.sqlite.", Set.of(5, 6, 261, 262, 517, 518));

  /** What DuckDB says, which tells neither a state nor a code. */
  private static final String DUCKDB_CONFLICT = "TransactionContext Error";

  private TransientFailures() {}

  /**
   * Whether the transaction is to be tried again.
   *
   * @param inserts whether it may have failed because another one has inserted the same row
   */
  public static boolean isRetryable(SQLException failure, boolean inserts) {
    for (SQLException e = failure; e != null; e = e.getNextException()) {
      if (e instanceof SQLTransientException || isRefusal(e, inserts)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a commit that failed so has certainly done nothing: the server has said that it refused
   * the transaction. A timeout, or a state that leaves the outcome open, does not say it.
   *
   * @param inserts as above
   */
  public static boolean isRefusedCommit(SQLException failure, boolean inserts) {
    for (SQLException e = failure; e != null; e = e.getNextException()) {
      if (COMPLETION_UNKNOWN.equals(e.getSQLState())) {
        return false;
      }
      if (isRefusal(e, inserts)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRefusal(SQLException e, boolean inserts) {
    String state = e.getSQLState();
    return e instanceof SQLTransactionRollbackException
        || isOfClass(state, ROLLBACK_CLASS)
        || (inserts && isOfClass(state, CONSTRAINT_CLASS))
        || isKnown(e);
  }

  private static boolean isOfClass(@Nullable String state, String of) {
    return state != null && state.startsWith(of);
  }

  private static boolean isKnown(SQLException e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      for (Map.Entry<String, Set<Integer>> codes : CODES.entrySet()) {
        if (frame.getClassName().startsWith(codes.getKey())) {
          return codes.getValue().contains(e.getErrorCode());
        }
      }
      if (frame.getClassName().startsWith("org.duckdb.")) {
        return String.valueOf(e.getMessage()).contains(DUCKDB_CONFLICT);
      }
    }
    return false;
  }
}
