package io.isotail.ingest.postgres;

/**
 * Finds out which Syncs the server has answered that the client has sent among the rows of a COPY
 * which the server has refused: those behind the row that was refused, of which only the server
 * knows. The client is held meanwhile.
 *
 * <p>A Close stands between two Syncs of isotail's own: its answer comes after those to the
 * client's. Where the server has answered none of these, it still skips what the client sends, and
 * is made to do so again. For one thread.
 */
final class CopySyncs {
  private static final String NAME = "isotail_copied";

  private final boolean ofQuery;
  private int readies;
  private boolean told;
  private boolean skips;

  /**
   * After COPY was refused.
   *
   * @param ofQuery whether it was sent by a Query: then the server skips nothing
   */
  CopySyncs(boolean ofQuery) {
    this.ofQuery = ofQuery;
  }

  void send(Wires wires) {
    new MessageBuilder()
        .empty(MessageTypes.SYNC)
        .about(MessageTypes.CLOSE, MessageTypes.STATEMENT, NAME)
        .empty(MessageTypes.SYNC)
        .toServer(wires);
  }

  /** What an answer of the server means. */
  enum Answer {
    /** It is isotail's own. */
    OWN,
    /** It is isotail's own, and the last one. */
    LAST,
    /** It stands for one that the client waits for. */
    CLIENTS
  }

  /** The server has answered with one of the types that were asked for, or has refused. */
  Answer answered(byte type, Wires wires) {
    if (type == MessageTypes.CLOSE_COMPLETE) {
      told = true;
      return Answer.OWN;
    } else if (type == MessageTypes.ERROR_RESPONSE) {
      return skips ? Answer.LAST : Answer.CLIENTS;
    } else if (!told) {
      readies++;
      return readies == 1 ? Answer.OWN : Answer.CLIENTS;
    }
    skips = readies == 1 && !ofQuery;
    if (!skips) {
      return Answer.LAST;
    }
    new MessageBuilder() // There is none, so that it is refused.
        .about(MessageTypes.DESCRIBE, MessageTypes.PORTAL, NAME)
        .toServer(wires);
    return Answer.OWN;
  }

  /** Whether the server skips what it gets until the next Sync. */
  boolean skips() {
    return skips;
  }
}
