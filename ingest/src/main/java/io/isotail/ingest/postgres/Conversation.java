package io.isotail.ingest.postgres;

/**
 * Stands between one client and the server from the client's start-up message on: it is shown the
 * messages of both sides and says what becomes of each. Every call is made by one thread at a time,
 * in the order of the messages of each side.
 *
 * <p>No method throws, whatever the messages hold.
 */
public interface Conversation {

  /**
   * Whether a message of the client that begins now is to be shown whole; else its bytes go on to
   * the server as they come. May {@linkplain Wires#holdClient hold the client}: then it is asked
   * again afterwards, if it would not be shown.
   *
   * @param type its type
   * @param length its length in bytes, its type and length included
   */
  boolean looksAtClient(byte type, int length);

  /**
   * Whether a message of the server that begins now is to be shown whole; else its bytes go on to
   * the client as they come.
   *
   * @param type its type
   * @param length its length in bytes, its type and length included
   */
  boolean looksAtServer(byte type, int length);

  /**
   * A message of the client that is looked at. Nothing goes to the server but what this hands to
   * {@code wires}.
   */
  void fromClient(Message message, Wires wires);

  /** A message of the server that is looked at. */
  void fromServer(Message message, Wires wires);

  /**
   * One side has closed the connection, or it broke: no more messages come from either side. Called
   * once.
   *
   * @param byClient whether it was the client
   */
  void closed(boolean byClient);

  /**
   * Nothing more is shown, although the connection goes on: its messages can no longer be told
   * apart, or this has failed. What is held goes on to the server, as it came, before anything else
   * does. Called once at most, and then in place of {@link #closed}.
   */
  default void givenUp(Wires wires) {
    closed(false);
  }

  /**
   * Whether the session is idle: the server has answered everything and is in no transaction. Such
   * a connection may be closed without harm.
   */
  boolean isIdle();

  /**
   * Whether the server has yet to hear of a statement that the client has sent, or answers a
   * question that is not the client's. False while it executes what the client means.
   */
  default boolean withholds() {
    return false;
  }

  /** A conversation in which every byte goes on unseen. */
  Conversation UNSEEN =
      new Conversation() {
        @Override
        public boolean looksAtClient(byte type, int length) {
          return false;
        }

        @Override
        public boolean looksAtServer(byte type, int length) {
          return false;
        }

        @Override
        public void fromClient(Message message, Wires wires) {
          wires.toServer(message.array(), message.offset(), message.length());
        }

        @Override
        public void fromServer(Message message, Wires wires) {
          wires.toClient(message.array(), message.offset(), message.length());
        }

        @Override
        public void closed(boolean byClient) {}

        @Override
        public boolean isIdle() {
          return false;
        }
      };
}
