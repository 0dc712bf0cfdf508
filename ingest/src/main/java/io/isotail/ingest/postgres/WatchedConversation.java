package io.isotail.ingest.postgres;

/**
 * A conversation of which nothing is captured: every byte goes on as it came. Of the client's
 * messages only the types are looked at, and of the server's only that it is ready, so that it is
 * known when the connection may be closed.
 *
 * <p>In doubt it is not idle: a Query or a Sync that the server skips, as in the middle of a COPY,
 * counts as unanswered from then on.
 */
final class WatchedConversation implements Conversation {
  private static final byte IDLE = 'I';

  private boolean authenticated;

  /** Messages that the server answers by being ready, and has not answered. */
  private long unanswered;

  /** Whether the client has sent something that a Sync is to follow. */
  private boolean unsynced;

  private byte state;

  @Override
  public boolean looksAtClient(byte type, int length) {
    switch (type) {
      case MessageTypes.QUERY, MessageTypes.FUNCTION_CALL -> unanswered++;
      case MessageTypes.SYNC -> {
        unanswered++;
        unsynced = false;
      }
      case MessageTypes.PARSE,
          MessageTypes.BIND,
          MessageTypes.DESCRIBE,
          MessageTypes.EXECUTE,
          MessageTypes.CLOSE ->
          unsynced = true;
      default -> {}
    }
    return false;
  }

  @Override
  public boolean looksAtServer(byte type, int length) {
    return type == MessageTypes.READY_FOR_QUERY && length == Message.BODY + 1;
  }

  @Override
  public void fromClient(Message message, Wires wires) {
    wires.toServer(message.array(), message.offset(), message.length());
  }

  @Override
  public void fromServer(Message message, Wires wires) {
    if (authenticated && unanswered > 0) {
      unanswered--;
    }
    authenticated = true;
    state = message.byteAt(Message.BODY);
    wires.toClient(message.array(), message.offset(), message.length());
  }

  @Override
  public void closed(boolean byClient) {}

  @Override
  public boolean isIdle() {
    return authenticated && unanswered == 0 && !unsynced && state == IDLE;
  }
}
