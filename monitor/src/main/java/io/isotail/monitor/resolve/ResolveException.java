package io.isotail.monitor.resolve;

/** What was given cannot be used; the message says what was found and what was expected. */
public final class ResolveException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With what was found and expected. */
  public ResolveException(String message) {
    super(message);
  }

  /** With what was found and expected, and the cause. */
  public ResolveException(String message, Throwable cause) {
    super(message, cause);
  }
}
