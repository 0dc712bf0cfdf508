package io.isotail.ingest.capture;

/** The server cannot answer any more: the connection to it has ended. Nothing of isotail failed. */
public final class ServerLostException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says how it was noticed. */
  public ServerLostException(String message) {
    super(message, null, false, false);
  }
}
