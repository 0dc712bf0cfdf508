package io.isotail.ingest.capture;

/** The connections that a capture takes for open. */
public final class OpenConnections {
  private OpenConnections() {}

  /** How many. */
  public static int of(Capture capture) {
    return capture.sessions().openConnections();
  }
}
