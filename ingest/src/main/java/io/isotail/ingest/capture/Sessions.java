package io.isotail.ingest.capture;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.ingest.capture.Server.TransactionState;
import org.jspecify.annotations.Nullable;

/** Where the capture of a session begins. */
public final class Sessions {
  private Sessions() {}

  /**
   * Follows a new session, which is in no transaction.
   *
   * @param capture of the configuration
   * @param server the database behind it
   * @param host host and port of the database, null when unknown
   * @param autoCommit whether each of its statements is a transaction of its own
   */
  public static SessionCapture open(
      Capture capture, Server server, @Nullable String host, boolean autoCommit) {
    Dialect dialect = server.dialect();
    boolean standby = isOnStandby(capture, server, autoCommit);
    Capture of = capture.of(new View(dialect.sql(), standby, server.names()));
    SessionInfo info = of.sessions().open(server.backendPid(), host);
    SessionSettings settings = new SessionSettings(of, server, dialect);
    return new SessionCapture(
        of, new SessionTransactions(of, info, settings, server, dialect, autoCommit));
  }

  private static boolean isOnStandby(Capture capture, Server server, boolean autoCommit) {
    TransactionState state = server.state();
    boolean idle =
        state == TransactionState.IDLE || (autoCommit && state == TransactionState.UNKNOWN);
    try {
      DatabaseCopy copy = idle ? DatabaseCopy.of(server) : server.copy();
      return copy == DatabaseCopy.STANDBY;
    } catch (Exception e) {
      // The connection may be broken: the application will see it in its own statement.
      capture.stats().internalFailure(e);
      return false;
    }
  }
}
