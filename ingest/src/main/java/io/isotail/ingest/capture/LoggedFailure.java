package io.isotail.ingest.capture;

import org.jspecify.annotations.Nullable;

/**
 * A failure as a log may show it: what it is, where it happened and what caused it, without
 * messages, which may hold a value of a statement or of a row.
 */
public final class LoggedFailure extends Exception {
  private static final int MOST_CAUSES = 8;

  private final String type;

  private LoggedFailure(Throwable failure, @Nullable LoggedFailure cause) {
    super(null, cause, false, true);
    type = failure.getClass().getName();
    setStackTrace(failure.getStackTrace());
  }

  /** What a log may show of a failure. */
  public static LoggedFailure of(Throwable failure) {
    return of(failure, MOST_CAUSES);
  }

  private static LoggedFailure of(Throwable failure, int causes) {
    Throwable cause = failure.getCause();
    return new LoggedFailure(failure, cause == null || causes == 0 ? null : of(cause, causes - 1));
  }

  @Override
  @SuppressWarnings("OverrideThrowableToString") // Logs show it in place of this class's name.
  public String toString() {
    return type;
  }
}
