package io.isotail.monitor.offline;

/** Exit statuses of every command. */
public final class ExitCode {
  public static final int PASSED = 0;
  public static final int VIOLATION = 1;

  /** Of {@code resolve}: a key was not found. */
  static final int NOT_FOUND = 1;

  /** Of {@code doctor}: something is worth mending. */
  public static final int TO_MEND = 1;

  /** Bad usage or bad input. */
  public static final int BAD = 2;

  /** Something could not be decided, and no violation was found. */
  public static final int UNDECIDED = 3;

  /** A defect of isotail stopped the command: nothing was decided. */
  public static final int INTERNAL_ERROR = 4;

  private ExitCode() {}
}
