package io.isotail.incremental.snapshot;

/**
 * A snapshot can't be restored: it is damaged, incomplete, of another configuration or of a later
 * format. The message says what and where.
 */
public final class StateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong, and where. */
  public StateException(String message) {
    super(message);
  }

  /** With what is wrong, and what was met in consequence. */
  public StateException(String message, Throwable cause) {
    super(message, cause);
  }
}
