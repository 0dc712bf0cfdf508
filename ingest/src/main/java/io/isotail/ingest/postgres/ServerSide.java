package io.isotail.ingest.postgres;

import static io.isotail.ingest.postgres.Message.BODY;

import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.postgres.Awaited.Kind;
import io.isotail.ingest.sql.Rewriting;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles what the server answers: reads and takes off the columns that were added, follows what
 * became of each execution, and passes the rest on. For one thread.
 */
final class ServerSide {
  private static final byte[] NO_DATA = {MessageTypes.NO_DATA, 0, 0, 0, 4};

  private final Talk talk;
  private final WireRow row;

  ServerSide(Talk talk) {
    this.talk = talk;
    this.row = new WireRow(talk.values);
  }

  /** Whether a message of the server is looked at. */
  boolean looksAt(byte type) {
    return switch (type) {
      case MessageTypes.DATA_ROW -> looksAtRow();
      case MessageTypes.BACKEND_KEY_DATA,
          MessageTypes.BIND_COMPLETE,
          MessageTypes.CLOSE_COMPLETE,
          MessageTypes.COMMAND_COMPLETE,
          MessageTypes.COPY_IN_RESPONSE,
          MessageTypes.EMPTY_QUERY_RESPONSE,
          MessageTypes.ERROR_RESPONSE,
          MessageTypes.NO_DATA,
          MessageTypes.PARAMETER_DESCRIPTION,
          MessageTypes.PARAMETER_STATUS,
          MessageTypes.PARSE_COMPLETE,
          MessageTypes.PORTAL_SUSPENDED,
          MessageTypes.READY_FOR_QUERY,
          MessageTypes.ROW_DESCRIPTION ->
          true;
      default -> false;
    };
  }

  private boolean looksAtRow() {
    Awaited head = talk.head();
    if (head != null && head.kind() == Kind.QUESTION) {
      return true;
    }
    Executions executions = talk.executions;
    Portal portal = head == null ? null : head.portal();
    if (portal == null || executions == null) {
      return false;
    }
    boolean reads = !portal.isOfAnother() && executions.reads(portal);
    if (!reads) {
      executions.passed(portal);
    }
    return reads || portal.hidden().length > 0;
  }

  /** Handles a message that is looked at. */
  void handle(Message message, Wires wires) {
    Awaited head = talk.head();
    boolean own = head != null && head.kind() == Kind.QUESTION;
    if (own && !answersQuestion(message.type())) {
      talk.awaited.remove();
      talk.questions.remove().lost();
      talk.speaksOutOfTurn = true;
      throw new IllegalStateException("the server has not answered what it was asked");
    }
    if (head != null && head.kind() == Kind.CHECK && Check.isAnswer(message.type())) {
      checked(message);
      return;
    }
    if (head != null && head.kind() == Kind.COPY_SYNCS && answersCopySyncs(message, wires)) {
      return;
    }
    switch (message.type()) {
      case MessageTypes.PARAMETER_STATUS -> {
        reported(message.text(BODY), message.text(message.afterText(BODY)));
        pass(message, wires);
      }
      case MessageTypes.BACKEND_KEY_DATA -> {
        talk.server.backendPid(message.int32(BODY));
        pass(message, wires);
      }
      case MessageTypes.READY_FOR_QUERY -> ready(message, wires);
      case MessageTypes.ERROR_RESPONSE -> failed(message, wires);
      case MessageTypes.DATA_ROW -> row(message, head, wires);
      case MessageTypes.ROW_DESCRIPTION -> described(message, head, wires);
      case MessageTypes.COMMAND_COMPLETE -> completed(message.text(BODY), message, head, wires);
      case MessageTypes.EMPTY_QUERY_RESPONSE -> completed("", message, head, wires);
      case MessageTypes.PORTAL_SUSPENDED -> suspended(message, head, wires);
      case MessageTypes.PARSE_COMPLETE -> answered(Kind.PARSE, message, head, wires);
      case MessageTypes.BIND_COMPLETE -> answered(Kind.BIND, message, head, wires);
      case MessageTypes.CLOSE_COMPLETE -> answered(Kind.CLOSE, message, head, wires);
      case MessageTypes.NO_DATA -> answered(Kind.DESCRIBE, message, head, wires);
      case MessageTypes.PARAMETER_DESCRIPTION -> {
        Prepared of = head == null ? null : head.prepared();
        if (of != null) {
          of.types(types(message));
        }
        pass(message, wires);
      }
      case MessageTypes.COPY_IN_RESPONSE -> {
        talk.copyIn();
        pass(message, wires);
      }
      default -> {
        if (!own) {
          pass(message, wires);
        }
      }
    }
  }

  private boolean answersQuestion(byte type) {
    return type == MessageTypes.PARAMETER_STATUS
        || type == MessageTypes.BACKEND_KEY_DATA
        || talk.questions.element().expects(type);
  }

  private static void pass(Message message, Wires wires) {
    wires.toClient(message.array(), message.offset(), message.length());
  }

  private void reported(String name, String value) {
    talk.server.reports(name, value);
    if (name.equals("client_encoding")) {
      talk.values.clientEncoding(value);
    }
  }

  /** An answer that says no more than that the head was done. */
  private void answered(Kind kind, Message message, @Nullable Awaited head, Wires wires) {
    if (head != null && head.kind() == Kind.QUESTION) {
      return;
    }
    if (head != null && head.kind() == kind) {
      talk.answered();
    }
    pass(message, wires);
  }

  /** Whether an answer is to isotail's own messages. */
  private boolean answersCopySyncs(Message message, Wires wires) {
    CopySyncs syncs = talk.copySyncs;
    byte type = message.type();
    if (syncs == null
        || (type != MessageTypes.CLOSE_COMPLETE
            && type != MessageTypes.ERROR_RESPONSE
            && type != MessageTypes.READY_FOR_QUERY)) {
      return false;
    }
    CopySyncs.Answer answer = syncs.answered(type, wires);
    if (answer == CopySyncs.Answer.LAST) {
      talk.awaited.remove();
      talk.copySyncs = null;
      talk.skipping = syncs.skips();
      talk.unsynced = syncs.skips();
    }
    return answer != CopySyncs.Answer.CLIENTS;
  }

  private void checked(Message message) {
    Check check = talk.check;
    if (check != null && check.answered(message)) {
      talk.awaited.remove();
    }
  }

  private void described(Message message, @Nullable Awaited head, Wires wires) {
    if (head == null || head.kind() == Kind.QUESTION) {
      if (head == null) {
        pass(message, wires);
      }
      return;
    }
    Columns columns = Columns.of(message);
    Prepared of = head.prepared();
    Portal portal = head.portal();
    boolean describes = head.kind() == Kind.DESCRIBE;
    if (describes) {
      talk.awaited.remove();
    }
    int known = of == null ? 0 : Math.max(of.hidden().length, addedToExecuted(of, portal));
    int added = columns.added();
    if (known > 0) {
      added = Math.min(known, added);
    } else if (of != null && Rewriting.isNamedIn(of.told().statement())) {
      added = 0;
    }
    if (portal != null) {
      portal.described(columns, known, added);
    }
    if (describes && of != null && (known == 0 || added > 0)) {
      of.columns(columns);
    }
    int visible = columns.labels().size() - added;
    if (added > 0 && visible == 0) {
      if (describes) {
        wires.toClient(NO_DATA, 0, NO_DATA.length);
      }
    } else if (added == 0 || visible < 0) {
      pass(message, wires);
    } else {
      cut(message, Columns.placeOf(message, visible), visible, wires);
    }
  }

  private static int addedToExecuted(Prepared of, @Nullable Portal portal) {
    return portal == null ? of.addedToExecuted() : portal.addedToExecuted();
  }

  private void row(Message message, @Nullable Awaited head, Wires wires) {
    Question question = talk.questions.peek();
    if (head != null && head.kind() == Kind.QUESTION && question != null) {
      row.show(message, Formats.TEXT, null, new boolean[0]);
      question.row(row);
      return;
    }
    Portal portal = head == null ? null : head.portal();
    Executions executions = talk.executions;
    if (portal == null || executions == null || portal.isOfAnother()) {
      pass(message, wires);
      return;
    }
    boolean[] hidden = portal.hidden();
    row.show(message, portal.formats, portal.described(), hidden);
    int end = row.placeOfHidden(message);
    int visible = row.columns() - hidden.length;
    if (portal.addedBefore() == 0) {
      executions.row(portal, row);
    }
    if (portal.swallowsRows() || (portal.addedBefore() > 0 && visible == 0)) {
      return;
    }
    if (hidden.length == 0 || visible < 0) {
      pass(message, wires);
    } else {
      cut(message, end, visible, wires);
    }
  }

  /**
   * Passes on a message that begins with a count of columns, without the last ones. Its bytes are
   * changed in their place.
   */
  private static void cut(Message message, int end, int columns, Wires wires) {
    byte[] bytes = message.array();
    int at = message.offset();
    int length = end - 1;
    bytes[at + 1] = (byte) (length >> 24);
    bytes[at + 2] = (byte) (length >> 16);
    bytes[at + 3] = (byte) (length >> 8);
    bytes[at + 4] = (byte) length;
    bytes[at + BODY] = (byte) (columns >> 8);
    bytes[at + BODY + 1] = (byte) columns;
    wires.toClient(bytes, at, end);
  }

  private void completed(String tag, Message message, @Nullable Awaited head, Wires wires) {
    if (head != null && head.kind() == Kind.QUESTION) {
      return;
    }
    Portal portal = head == null ? null : head.portal();
    Executions executions = talk.executions;
    talk.syncsInCopy = 0;
    if (head != null && portal != null && executions != null) {
      if (head.kind() == Kind.EXECUTE) {
        talk.answered();
      }
      executions.completed(portal, tag, head.kind() == Kind.QUERY);
    }
    pass(message, wires);
  }

  private void suspended(Message message, @Nullable Awaited head, Wires wires) {
    Portal portal = head == null ? null : head.portal();
    Executions executions = talk.executions;
    if (head != null && head.kind() == Kind.EXECUTE && portal != null && executions != null) {
      talk.awaited.remove();
      executions.suspended(portal);
    }
    pass(message, wires);
  }

  private void failed(Message message, Wires wires) {
    ServerError error = ServerError.of(message);
    Awaited head = talk.head();
    Question question = talk.questions.peek();
    if (head != null && head.kind() == Kind.QUESTION && question != null) {
      question.failed(error);
      if (error.isFatal() || talk.server.state() == TransactionState.OPEN) {
        pass(message, wires); // It is the client's transaction, or its connection.
      }
      return;
    }
    Executions executions = talk.executions;
    talk.copyingIn = false;
    if (head == null || executions == null) {
      pass(message, wires);
      return;
    }
    Prepared of = head.prepared();
    boolean executes =
        head.kind() == Kind.EXECUTE
            || head.kind() == Kind.QUERY
            || head.kind() == Kind.FUNCTION_CALL;
    boolean ends = head.kind() == Kind.SYNC || (executes && head.kind() != Kind.EXECUTE);
    Undo undo = head.undo();
    if (ends && undo != null) {
      undo.undo(false);
    }
    List<Portal> skipped = ends ? List.of() : talk.skip();
    executions.failed(executes ? head.portal() : null, of, error.failure(), skipped);
    if (talk.syncsInCopy > 0 && talk.awaited.size() == (ends ? 1 : 0)) {
      findCopySyncs(new CopySyncs(ends), wires);
    }
    talk.syncsInCopy = 0;
    if (of == null) {
      pass(message, wires);
    } else {
      ServerError.pass(message, error, of, wires);
    }
  }

  private void findCopySyncs(CopySyncs syncs, Wires wires) {
    talk.awaited.add(Awaited.of(Kind.COPY_SYNCS));
    talk.copySyncs = syncs;
    talk.skipping = false;
    if (wires.isServerBetweenMessages()) {
      talk.findCopySyncs(wires);
    }
  }

  private void ready(Message message, Wires wires) {
    Awaited head = talk.head();
    if (head != null && head.kind() == Kind.QUESTION) {
      Question question = talk.questions.element();
      if (question.ready()) {
        talk.awaited.remove();
        talk.questions.remove();
      }
      return;
    }
    TransactionState state = state(message.byteAt(BODY));
    Executions executions = talk.executions;
    if (head != null && head.endsWithReady()) {
      talk.answered();
    }
    if (talk.awaited.isEmpty()) {
      talk.names.closed();
      if (state == TransactionState.IDLE) {
        talk.names.transactionEnded();
      }
    }
    if (executions == null) {
      talk.server.state(state);
    } else {
      executions.ready(state);
    }
    talk.kept.ready();
    if (talk.awaited.isEmpty() && state == TransactionState.IDLE) {
      talk.kept.forgetAll();
    }
    pass(message, wires);
  }

  private static TransactionState state(byte told) {
    return switch (told) {
      case 'I' -> TransactionState.IDLE;
      case 'T' -> TransactionState.OPEN;
      case 'E' -> TransactionState.FAILED;
      default -> TransactionState.UNKNOWN;
    };
  }

  private static int[] types(Message message) {
    int[] types = new int[message.int16(BODY)];
    for (int i = 0; i < types.length; i++) {
      types[i] = message.int32(BODY + 2 + 4 * i);
    }
    return types;
  }
}
