package io.isotail.ingest.postgres;

/**
 * Types of messages (PostgreSQL's documentation, "Message Formats"). A letter may mean one thing
 * from the client and another from the server.
 */
final class MessageTypes {
  // Of the client.
  static final byte BIND = 'B';
  static final byte CLOSE = 'C';
  static final byte COPY_DONE = 'c';
  static final byte COPY_FAIL = 'f';
  static final byte DESCRIBE = 'D';
  static final byte EXECUTE = 'E';
  static final byte FLUSH = 'H';
  static final byte FUNCTION_CALL = 'F';
  static final byte PARSE = 'P';
  static final byte QUERY = 'Q';
  static final byte SYNC = 'S';

  // Of the server.
  static final byte BACKEND_KEY_DATA = 'K';
  static final byte BIND_COMPLETE = '2';
  static final byte CLOSE_COMPLETE = '3';
  static final byte COMMAND_COMPLETE = 'C';
  static final byte COPY_IN_RESPONSE = 'G';
  static final byte DATA_ROW = 'D';
  static final byte EMPTY_QUERY_RESPONSE = 'I';
  static final byte ERROR_RESPONSE = 'E';
  static final byte NO_DATA = 'n';
  static final byte PARAMETER_DESCRIPTION = 't';
  static final byte PARAMETER_STATUS = 'S';
  static final byte PARSE_COMPLETE = '1';
  static final byte PORTAL_SUSPENDED = 's';
  static final byte READY_FOR_QUERY = 'Z';
  static final byte ROW_DESCRIPTION = 'T';

  /** Stands for a prepared statement in Describe and Close. */
  static final byte STATEMENT = 'S';

  /** Stands for a portal in Describe and Close. */
  static final byte PORTAL = 'P';

  private MessageTypes() {}
}
