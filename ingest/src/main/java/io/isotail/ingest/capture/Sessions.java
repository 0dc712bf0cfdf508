package io.isotail.ingest.capture;

import io.isotail.incremental.record.SessionInfo;
import org.jspecify.annotations.Nullable;

/** Where the capture of a session begins. */
public final class Sessions {
  private Sessions() {}

  /**
   * Follows a new session, which is in no transaction.
   *
   * @param capture what it shares with the other sessions
   * @param server the database behind it
   * @param host host and port of the database, null when unknown
   * @param autoCommit whether each of its statements is a transaction of its own
   */
  public static SessionCapture open(
      Capture capture, Server server, @Nullable String host, boolean autoCommit) {
    Dialect dialect = server.dialect();
    SessionInfo info = capture.openSession(server, host);
    SessionSettings settings = new SessionSettings(capture, server, dialect);
    return new SessionCapture(
        capture, new SessionTransactions(capture, info, settings, server, dialect, autoCommit));
  }
}
