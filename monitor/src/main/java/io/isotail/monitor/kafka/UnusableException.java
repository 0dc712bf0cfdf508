package io.isotail.monitor.kafka;

/** Something that only an operator can mend, and that makes going on unsafe. */
public final class UnusableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what was found and what is expected. */
  public UnusableException(String message) {
    super(message);
  }

  /** Throws what is, or has made Kafka's consumer throw, {@code e}, if it is one of these. */
  public static void rethrow(RuntimeException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnusableException unusable) {
        throw unusable;
      }
    }
  }
}
