package io.isotail.monitor.cli;

import java.io.PrintWriter;

/** What is printed of an error that no command has an answer to. */
final class InternalErrorText {
  /** Calls printed of each cause: a stack that overflowed has a thousand alike. */
  private static final int MOST_CALLS = 40;

  private InternalErrorText() {}

  /** Says that nothing was decided, what to do, and where it happened. */
  static void print(PrintWriter err, String command, Throwable error) {
    err.printf("%s: internal error: %s%n", command, error);
    err.println(
        error instanceof OutOfMemoryError
            ? "Nothing was decided. Java may need more memory: JAVA_OPTS=-Xmx8g, as an example."
            : "Nothing was decided: this is a defect of isotail, not of its input. Please report it"
                + " with the lines below, 'isotail --version', and the input if you may share it.");
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      err.println(cause == error ? error.getClass().getName() : "caused by " + cause);
      StackTraceElement[] calls = cause.getStackTrace();
      for (int i = 0; i < Math.min(calls.length, MOST_CALLS); i++) {
        err.println("  at " + calls[i]);
      }
      if (calls.length > MOST_CALLS) {
        err.printf("  ... %,d more%n", calls.length - MOST_CALLS);
      }
    }
  }
}
