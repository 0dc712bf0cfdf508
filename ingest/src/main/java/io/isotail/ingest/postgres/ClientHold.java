package io.isotail.ingest.postgres;

/**
 * Holds the client while there is a reason to. An answer of the server is waited for {@value
 * #PATIENCE_MS} ms at most: one that does not understand the client's messages as isotail does may
 * owe none. For one thread.
 */
final class ClientHold {
  static final long PATIENCE_MS = 10_000;

  private final Runnable givesUp;
  private int reasons;

  /** How often an answer was waited for, and how often that is over. */
  private long begun;

  private long over;
  private boolean watched;

  /**
   * For a client.
   *
   * @param givesUp ends the wait for an answer of the server that does not come
   */
  ClientHold(Runnable givesUp) {
    this.givesUp = givesUp;
  }

  /** There is another reason. */
  void hold(Wires wires) {
    reasons++;
    wires.holdClient();
  }

  /** There is one reason less. */
  void release(Wires wires) {
    reasons--;
    if (reasons == 0) {
      wires.releaseClient();
    }
  }

  /** For how many reasons it is held. */
  int reasons() {
    return reasons;
  }

  /** There is another reason: the server is to answer something. */
  void awaitAnswer(Wires wires) {
    hold(wires);
    begun++;
    watch(wires);
  }

  /** The server has answered, or is no longer waited for. */
  void answered(Wires wires) {
    over++;
    release(wires);
  }

  /** One task waits for all. */
  private void watch(Wires wires) {
    if (watched || begun == over) {
      return;
    }
    watched = true;
    long last = begun;
    wires.after(
        PATIENCE_MS,
        () -> {
          watched = false;
          if (begun == last && begun > over) {
            givesUp.run();
          } else {
            watch(wires);
          }
        });
  }
}
