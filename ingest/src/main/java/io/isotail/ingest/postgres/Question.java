package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.ServerLostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A query of isotail's own in the client's session. It is sent so that the session stays as it is:
 * as a statement and a portal of names of their own, which are closed. Only its future is for other
 * threads.
 */
final class Question {
  /** The Sync after the execution, and the one after Close, which has to follow a failure too. */
  private static final int READIES = 2;

  private static final String NAME = "isotail_question";

  private final String query;
  private final Consumer<List<List<@Nullable String>>> then;
  private final CompletableFuture<List<List<@Nullable String>>> answer = new CompletableFuture<>();
  private final List<List<@Nullable String>> rows = new ArrayList<>();
  private @Nullable ServerError failure;
  private int readies;
  private int closes;

  /** The next part of the answer; see {@link #expects}. */
  private byte part = MessageTypes.PARSE_COMPLETE;

  Question(String query) {
    this(query, rows -> {});
  }

  /**
   * A query.
   *
   * @param then what the conversation's thread does with its rows, before it sees a later answer
   */
  Question(String query, Consumer<List<List<@Nullable String>>> then) {
    this.query = query;
    this.then = then;
  }

  /** Its rows, their values as text; fails if the server refuses to answer. */
  CompletableFuture<List<List<@Nullable String>>> answer() {
    return answer;
  }

  void send(Wires wires) {
    new MessageBuilder()
        .begin(MessageTypes.PARSE)
        .text(NAME)
        .text(query)
        .int16(0)
        .end()
        .begin(MessageTypes.BIND)
        .text(NAME)
        .text(NAME)
        .int16(0)
        .int16(0)
        .int16(0)
        .end()
        .begin(MessageTypes.EXECUTE)
        .text(NAME)
        .int32(0)
        .end()
        .empty(MessageTypes.SYNC)
        .about(MessageTypes.CLOSE, MessageTypes.PORTAL, NAME)
        .about(MessageTypes.CLOSE, MessageTypes.STATEMENT, NAME)
        .empty(MessageTypes.SYNC)
        .toServer(wires);
  }

  /** Whether the question is answered so, in this place: a server may say something of its own. */
  boolean expects(byte type) {
    boolean refused = type == MessageTypes.ERROR_RESPONSE && part != MessageTypes.READY_FOR_QUERY;
    boolean row = type == MessageTypes.DATA_ROW && part == MessageTypes.COMMAND_COMPLETE;
    if (!refused && !row && type != part) {
      return false;
    }
    if (refused) {
      part = MessageTypes.READY_FOR_QUERY;
    } else if (!row) {
      part = next(type);
    }
    return true;
  }

  private byte next(byte type) {
    return switch (type) {
      case MessageTypes.PARSE_COMPLETE -> MessageTypes.BIND_COMPLETE;
      case MessageTypes.BIND_COMPLETE -> MessageTypes.COMMAND_COMPLETE;
      case MessageTypes.CLOSE_COMPLETE ->
          closes++ == 0 ? MessageTypes.CLOSE_COMPLETE : MessageTypes.READY_FOR_QUERY;
      case MessageTypes.READY_FOR_QUERY -> MessageTypes.CLOSE_COMPLETE;
      default -> MessageTypes.READY_FOR_QUERY;
    };
  }

  void row(WireRow row) {
    rows.add(Arrays.asList(row.texts()));
  }

  void failed(ServerError error) {
    failure = error;
  }

  /** The server is ready; true if it has answered all. */
  boolean ready() {
    readies++;
    if (readies < READIES) {
      return false;
    }
    ServerError why = failure;
    if (why == null) {
      answer.complete(rows);
      then.accept(rows);
    } else {
      answer.completeExceptionally(
          new SQLException("the server answered: " + why.message(), why.sqlState()));
    }
    return true;
  }

  /** The connection is gone. */
  void lost() {
    answer.completeExceptionally(new ServerLostException("the connection is gone"));
  }
}
