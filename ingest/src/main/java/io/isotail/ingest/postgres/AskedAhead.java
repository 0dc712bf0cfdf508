package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.Sessions;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server is asked what is to be known before the next statement, while the client thinks. A
 * message of the client that comes meanwhile waits for what is left of that: the first one of a
 * connection {@value #FIRST_WAIT_MS} ms at most where the tables of its role and database were told
 * before. What such a statement does is then told as a doubt about any row of these. For one
 * thread, but for {@link #knows}.
 */
final class AskedAhead {
  static final long FIRST_WAIT_MS = 40;

  private final WireServer server;
  private final ClientHold hold;
  private boolean underWay;

  /** What becomes of the client's message that waits. */
  private @Nullable Runnable waiting;

  private volatile @Nullable Capture known;

  AskedAhead(WireServer server, ClientHold hold) {
    this.server = server;
    this.hold = hold;
  }

  /** What the connections share, which may know the tables. */
  void knows(Capture capture) {
    known = capture;
  }

  /** Whether the server is being asked. */
  boolean isUnderWay() {
    return underWay;
  }

  /**
   * Asks the server on another thread.
   *
   * @param answered what follows; false if the connection is closed
   */
  void ask(Runnable questions, NotedWires to, BooleanSupplier answered) {
    underWay = true;
    server.hasTime();
    to.work(
        () -> server.during(questions),
        () -> {
          underWay = false;
          Runnable message = waiting;
          waiting = null;
          if (answered.getAsBoolean() && message != null) {
            message.run();
            hold.release(to);
          }
        });
  }

  /**
   * The client's message, and what it sends after it, waits for the answers.
   *
   * @param message what becomes of it
   * @param first whether it is the first one
   */
  void await(Runnable message, NotedWires to, boolean first) {
    waiting = message;
    hold.hold(to);
    if (first) {
      to.after(FIRST_WAIT_MS, () -> hurry(message));
    }
  }

  /** The message waits no longer, unless that would leave no trace of what it does. */
  private void hurry(Runnable message) {
    Capture shared = known;
    if (waiting == message && shared != null && Sessions.knowsTables(shared, server)) {
      server.hurries();
    }
  }
}
