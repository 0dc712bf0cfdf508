package io.isotail.ingest.event;

/**
 * Bytes that are not a record this reader understands. The message says what was found and what was
 * expected, and never holds a value of a customer. Readers count it and go on.
 */
public final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what was found and what was expected. */
  public BadRecordException(String message) {
    super(message);
  }

  /** Says what was found and expected, and what the parser met. */
  public BadRecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
