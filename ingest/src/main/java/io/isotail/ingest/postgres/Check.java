package io.isotail.ingest.postgres;

/**
 * Asks the server whose result a Bind of the client is about to ask for, where SQL may have given a
 * name to another statement or portal. The Bind waits for the answer.
 *
 * <p>It is asked in the client's own group of messages, without a Sync. The client sees none of the
 * answers but an error, which stands for the one that its Bind would have had. For one thread.
 */
final class Check {
  private static final String NAME = "isotail_check";

  private final MessageBuilder messages = new MessageBuilder();
  private Runnable then = () -> {};
  private int answers;
  private int added;
  private boolean failed;

  private Check(int answers) {
    this.answers = answers;
  }

  /**
   * Of a statement that the protocol names.
   *
   * @param nameAt where its name begins in a Bind
   * @param end where it ends, after its zero byte
   */
  static Check ofStatement(Message bind, int nameAt, int end) {
    Check check = new Check(2);
    check
        .messages
        .begin(MessageTypes.DESCRIBE)
        .int8(MessageTypes.STATEMENT)
        .bytes(bind.array(), bind.offset() + nameAt, end - nameAt)
        .end()
        .empty(MessageTypes.FLUSH);
    return check;
  }

  /** Of EXECUTE or FETCH in SQL, of whatever has the name now. */
  static Check ofText(String sql) {
    Check check = new Check(5);
    check
        .messages
        .about(MessageTypes.CLOSE, MessageTypes.STATEMENT, NAME) // One may have been skipped half.
        .begin(MessageTypes.PARSE)
        .text(NAME)
        .text(sql)
        .int16(0)
        .end()
        .about(MessageTypes.DESCRIBE, MessageTypes.STATEMENT, NAME)
        .about(MessageTypes.CLOSE, MessageTypes.STATEMENT, NAME)
        .empty(MessageTypes.FLUSH);
    return check;
  }

  /**
   * Sends it.
   *
   * @param goOn what is done after the last answer, or when there is none
   */
  void send(Wires wires, Runnable goOn) {
    then = goOn;
    messages.toServer(wires);
  }

  /** Whether an answer of the server may be one to this. */
  static boolean isAnswer(byte type) {
    return switch (type) {
      case MessageTypes.CLOSE_COMPLETE,
          MessageTypes.NO_DATA,
          MessageTypes.PARAMETER_DESCRIPTION,
          MessageTypes.PARSE_COMPLETE,
          MessageTypes.ROW_DESCRIPTION ->
          true;
      default -> false;
    };
  }

  /** The server has answered one of the messages; true if that was the last one. */
  boolean answered(Message answer) {
    if (answer.type() == MessageTypes.ROW_DESCRIPTION) {
      added = Columns.of(answer).added();
    }
    answers--;
    if (answers > 0) {
      return false;
    }
    goOn();
    return true;
  }

  /** The server has refused to answer, or skips it. */
  void failed() {
    failed = true;
    goOn();
  }

  /** Its answer is not waited for any longer. */
  void giveUp() {
    if (answers > 0) {
      failed();
    }
  }

  private void goOn() {
    Runnable next = then;
    then = () -> {};
    next.run();
  }

  /** Whether the server has answered. */
  boolean hasAnswered() {
    return !failed;
  }

  /** How many columns of the result, at its end, were added. */
  int added() {
    return added;
  }
}
