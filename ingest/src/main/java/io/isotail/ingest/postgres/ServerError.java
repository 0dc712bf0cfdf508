package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Failure;

/**
 * What an ErrorResponse says.
 *
 * @param sqlState its SQLSTATE; empty if it has none
 * @param message for people; empty if it has none
 * @param fatal whether the server ends the connection
 * @param placeAt position in the message of the number that tells the place in the query; 0 if it
 *     tells none
 */
record ServerError(String sqlState, String message, boolean fatal, int placeAt) {
  private static final byte SEVERITY = 'V';
  private static final byte SQL_STATE = 'C';
  private static final byte MESSAGE = 'M';
  private static final byte PLACE = 'P';

  /** Reads it. */
  static ServerError of(Message error) {
    String sqlState = "";
    String message = "";
    boolean fatal = false;
    int placeAt = 0;
    int at = Message.BODY;
    while (at < error.length() && error.byteAt(at) != 0) {
      switch (error.byteAt(at)) {
        case SQL_STATE -> sqlState = error.text(at + 1);
        case SEVERITY -> fatal = !error.text(at + 1).equals("ERROR");
        case MESSAGE -> message = error.text(at + 1);
        case PLACE -> placeAt = at + 1;
        default -> {}
      }
      at = error.afterText(at + 1);
    }
    return new ServerError(sqlState, message, fatal, placeAt);
  }

  /** Whether the server ends the connection. */
  boolean isFatal() {
    return fatal;
  }

  Failure failure() {
    return new Failure(sqlState.isEmpty() ? null : sqlState, 0, message);
  }

  /** Passes an ErrorResponse on, with the place in the text that the client has sent. */
  static void pass(Message error, ServerError read, Prepared of, Wires wires) {
    int from = read.placeAt();
    int place = from == 0 ? 0 : number(error.text(from));
    int told = place == 0 ? 0 : of.placeTold(place - 1) + 1;
    if (told == place) {
      wires.toClient(error.array(), error.offset(), error.length());
      return;
    }
    int after = error.afterText(from);
    byte[] bytes = error.array();
    new MessageBuilder()
        .begin(error.type())
        .bytes(bytes, error.offset() + Message.BODY, from - Message.BODY)
        .text(Integer.toString(told))
        .bytes(bytes, error.offset() + after, error.length() - after)
        .end()
        .toClient(wires);
  }

  private static int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
