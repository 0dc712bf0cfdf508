package io.isotail.incremental.explore;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the code of a session stands: before a read, or at the end of a transaction. It never
 * changes; to go on makes another one. The same values read give the same execution.
 *
 * <p>A read of a variable that the transaction has written before is none: it returns what was
 * written ([1] Section 2.3).
 */
public interface Execution {

  /** What comes next. */
  enum State {
    /** The transaction reads a variable. */
    READS,
    /** The transaction has committed. */
    COMMITTED,
    /** The transaction has taken back what it wrote. */
    ABORTED
  }

  /** What comes next. */
  State state();

  /** The variable that is read next; only where the {@link #state} is {@link State#READS}. */
  String variable();

  /**
   * What the transaction has written so far: the last value of each variable. Nothing once it has
   * aborted.
   */
  Map<String, Object> writes();

  /** The first assertion of the transaction that does not hold, in words; null if there is none. */
  @Nullable String failure();

  /**
   * What stopped the transaction, such as a division by zero; null if nothing did. It has aborted
   * then, and what it has read counts as of any that aborts: whether a level allows it is asked
   * before the error is told.
   */
  default @Nullable RuntimeException error() {
    return null;
  }

  /** Goes on with what the read returned. */
  Execution resume(Object value);

  /** The beginning of the next transaction of the session. Only at the end of one. */
  Execution next();
}
