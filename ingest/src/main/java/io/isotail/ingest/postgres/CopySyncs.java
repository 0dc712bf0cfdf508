package io.isotail.ingest.postgres;

/**
 * Finds out which Syncs the server has answered that the client has sent among the rows of a COPY
 * which the server has refused: those behind the row that was refused, of which only the server
 * knows. The client is held meanwhile, from the end of the message on that it is in the middle of.
 *
 * <p>A Close stands between two Syncs of isotail's own: its answer comes after those to the
 * client's. Where the server has answered none of these, it still skips what the client sends, and
 * is made to do so again. For one thread.
 */
final class CopySyncs {
  private static final String NAME = "isotail_copied";

  private final boolean ofQuery;
  private boolean sent;

  /** How often the server was ready since they were sent, and before. */
  private int readies;

  private int readiesBefore;
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

  /** Asks the server, which is in the middle of no message. */
  void send(Wires wires) {
    sent = true;
    new MessageBuilder()
        .empty(MessageTypes.SYNC)
        .about(MessageTypes.CLOSE, MessageTypes.STATEMENT, NAME)
        .empty(MessageTypes.SYNC)
        .toServer(wires);
  }

  /** Whether the server was asked. */
  boolean isSent() {
    return sent;
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
    if (!sent) {
      readiesBefore += type == MessageTypes.READY_FOR_QUERY ? 1 : 0;
      return Answer.CLIENTS;
    } else if (type == MessageTypes.CLOSE_COMPLETE) {
      told = true;
      return Answer.OWN;
    } else if (type == MessageTypes.ERROR_RESPONSE) {
      return skips ? Answer.LAST : Answer.CLIENTS;
    } else if (!told) {
      readies++;
      return readies == 1 ? Answer.OWN : Answer.CLIENTS;
    }
    skips = readiesBefore + readies == 1 && !ofQuery;
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
