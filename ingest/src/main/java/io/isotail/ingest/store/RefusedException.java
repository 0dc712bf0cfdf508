package io.isotail.ingest.store;

import org.jspecify.annotations.Nullable;

/**
 * The store has refused a transaction, mostly because another one has come between: nothing of it
 * took effect, nothing ever will, and it may be tried again in the same session.
 */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Refused for what the message says. */
  public RefusedException(String message) {
    this(message, null);
  }

  /** Refused, as the store's own error says. */
  public RefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
