package io.isotail.monitor.cli;

/** Exit statuses of every command. */
final class ExitCode {
  static final int PASSED = 0;
  static final int VIOLATION = 1;

  /** Of {@code resolve}: a key was not found. */
  static final int NOT_FOUND = 1;

  /** Bad usage or bad input. */
  static final int BAD = 2;

  /** Something could not be decided, and no violation was found. */
  static final int UNDECIDED = 3;

  private ExitCode() {}
}
