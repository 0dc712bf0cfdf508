package io.isotail.ingest.postgres;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server is asked what is to be known before the next statement, while the client thinks. A
 * message of the client that comes meanwhile waits for what is left of that: else what it does
 * would not be seen. For one thread.
 */
final class AskedAhead {
  private final WireServer server;
  private final ClientHold hold;
  private boolean underWay;

  /** What becomes of the client's message that waits. */
  private @Nullable Runnable waiting;

  AskedAhead(WireServer server, ClientHold hold) {
    this.server = server;
    this.hold = hold;
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
   */
  void await(Runnable message, NotedWires to) {
    waiting = message;
    hold.hold(to);
  }
}
