package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.Server.TransactionState;
import io.isotail.ingest.capture.ServerLostException;
import io.isotail.ingest.capture.SessionCapture;
import io.isotail.ingest.capture.Sessions;
import io.isotail.ingest.sql.AnalyzedSql;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A conversation that is captured: statements are sent so that their answers tell which rows they
 * read and wrote, and who wrote these; the client sees none of it.
 *
 * <p>When the server is ready, the client is told so at once, and the server is asked what its
 * tables are, as it is asked again later. What the client sends waits for what is left of that: a
 * question is sent only while the client is held, and never into the middle of a message. A message
 * waits, too, while a statement of a new kind is parsed on another thread. Where the capture cannot
 * begin, every byte goes on unseen.
 */
final class CapturedConversation implements Conversation {
  private static final Logger LOG = LoggerFactory.getLogger(CapturedConversation.class);

  /** The client's part of a login. */
  private static final byte PASSWORD = 'p';

  /** How often it is looked whether the stream has begun that a message waits for. */
  private static final long LOOK_MS = 20;

  /** A longer message of a server that was not ready yet is not put together. */
  private static final int MOST_BEFORE_READY = 65_536;

  private final Function<WireServer, Capture> captures;
  private final Runnable uncaptured;
  private final String host;
  private final WireServer server;
  private final Talk talk;
  private final ServerSide serverSide;
  private @Nullable NotedWires wires;
  private @Nullable SessionCapture session;
  private @Nullable ClientSide clientSide;

  /** Whether the server was ready once: before that, both sides talk about who the client is. */
  private boolean authenticated;

  private boolean begun;

  /**
   * The session that was opened on another thread, which knows nothing of the closed connection.
   */
  private volatile @Nullable SessionCapture opened;

  /** The client's message that is held, as it came; null if there is none. */
  private @Nullable Message waiting;

  /** Whether the client is held for {@link Talk#holdFor}. */
  private boolean held;

  private final ClientHold hold = new ClientHold(this::giveUp);

  /** Questions that were not answered yet, or will not be. */
  private final Set<Question> asked = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  /**
   * A conversation.
   *
   * @param captures gives the capture of the process, and may wait for it
   * @param uncaptured told when the capture cannot begin; once at most
   * @param startup what the client said at its start
   * @param host host and port of the server
   */
  CapturedConversation(
      Function<WireServer, Capture> captures,
      Runnable uncaptured,
      Map<String, String> startup,
      String host) {
    this.captures = captures;
    this.uncaptured = uncaptured;
    this.host = host;
    this.server = new WireServer(startup, this::ask);
    this.talk = new Talk(server);
    this.serverSide = new ServerSide(talk);
  }

  @Override
  public boolean looksAtClient(byte type, int length) {
    if (!authenticated && !begun && type != PASSWORD) {
      uncaptured.run();
      begun = true; // What is asked before the server is ready is not followed.
    }
    ClientSide side = clientSide;
    NotedWires to = wires;
    if (to != null && talk.owesCopySyncs()) {
      hold.hold(to);
      to.later(() -> findCopySyncs(to)); // It is looked at again.
      return false;
    }
    if (side != null && ClientSide.isTooLong(type, length)) {
      SessionCapture capture = session;
      if (to != null
          && capture != null
          && capture.awaitsStream()
          && side.mayShowWrites(type, length)) {
        hold.hold(to);
        awaitStream(capture, to, () -> release(to)); // It is looked at again.
      } else {
        longMessage(side, type);
      }
      return false;
    }
    return authenticated && (!begun || side != null) && ClientSide.looksAt(type);
  }

  /** The client has come to the end of the message in the middle of which COPY was refused. */
  private void findCopySyncs(NotedWires to) {
    if (!closed) {
      talk.findCopySyncs(to);
      follow(to);
      hold.release(to);
    }
  }

  private void release(NotedWires to) {
    if (!closed) {
      hold.release(to);
    }
  }

  private void longMessage(ClientSide side, byte type) {
    try {
      side.longMessage(type);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  public boolean looksAtServer(byte type, int length) {
    // Before it was ready once, it has nothing to say that is as long.
    return (authenticated || length <= MOST_BEFORE_READY) && serverSide.looksAt(type);
  }

  @Override
  public void fromServer(Message message, Wires to) {
    NotedWires noted = noted(to);
    authenticated |= message.type() == MessageTypes.READY_FOR_QUERY;
    try {
      serverSide.handle(message, noted);
    } catch (RuntimeException | Error e) {
      failed(e);
      if (!noted.sent()) {
        to.toClient(message.array(), message.offset(), message.length());
      }
    }
    follow(noted);
    if (message.type() == MessageTypes.READY_FOR_QUERY) {
      askAhead(noted);
    }
  }

  /** The server is ready, and the client knows it: asks what the next statement would wait for. */
  private void askAhead(NotedWires to) {
    boolean idle = talk.isQuiet() && server.state() == TransactionState.IDLE;
    if (!idle || hold.reasons() > 0 || !to.isServerBetweenMessages()) {
      return;
    }
    SessionCapture of = session;
    if (!begun) {
      begun = true;
      askAhead(this::begin, to);
    } else if (of != null && of.needsRefresh()) {
      askAhead(of::refresh, to);
    }
  }

  private void askAhead(Runnable questions, NotedWires to) {
    hold.hold(to);
    ask(questions, to, () -> release(to));
  }

  @Override
  public void fromClient(Message message, Wires to) {
    NotedWires noted = noted(to);
    ClientSide side = clientSide;
    SessionCapture capture = session;
    if (!begun) {
      begun = true;
      ask(this::begin, message, noted);
    } else if (side == null || capture == null) {
      to.toServer(message.array(), message.offset(), message.length());
    } else if (talk.isQuiet() && capture.needsRefresh()) {
      ask(capture::refresh, message, noted);
    } else {
      send(side, capture, message, noted);
    }
  }

  /** The statement of a message if what its names mean in the transaction is to be asked. */
  private @Nullable AnalyzedSql unclear(ClientSide side, SessionCapture capture, Message message) {
    if (server.state() != TransactionState.OPEN) {
      return null;
    }
    try {
      AnalyzedSql sql = side.statement(message);
      return sql != null && capture.needsToSettle(sql) ? sql : null;
    } catch (RuntimeException | Error e) {
      return null; // That it cannot be read is seen again when it is handled.
    }
  }

  private void send(ClientSide side, SessionCapture capture, Message message, NotedWires noted) {
    if (talk.isQuiet() && server.state() == TransactionState.OPEN && commits(side, message)) {
      askWriter(capture, noted);
    }
    Runnable analyzing = analyzing(side, message);
    if (analyzing == null) {
      sendAnalyzed(side, capture, message, noted);
    } else {
      Message copy = copied(message);
      hold(
          copy,
          noted,
          done -> noted.compute(analyzing, done),
          () -> sendAnalyzed(side, capture, copy, noted));
    }
  }

  private void sendAnalyzed(
      ClientSide side, SessionCapture capture, Message message, NotedWires noted) {
    AnalyzedSql sql = talk.isQuiet() ? unclear(side, capture, message) : null;
    if (sql == null) {
      sendSettled(side, capture, message, noted);
    } else {
      Message copy = copied(message);
      hold(
          copy,
          noted,
          done -> ask(() -> capture.settle(sql), noted, done),
          () -> sendSettled(side, capture, copy, noted));
    }
  }

  private void sendSettled(
      ClientSide side, SessionCapture capture, Message message, NotedWires noted) {
    if (capture.awaitsStream() && mayShowWrites(side, message)) {
      Message copy = copied(message);
      hold(copy, noted, done -> awaitStream(capture, noted, done), () -> handle(side, copy, noted));
    } else {
      handle(side, message, noted);
    }
  }

  /** Looks from time to time whether the stream has begun: no thread waits for that. */
  private void awaitStream(SessionCapture capture, NotedWires to, Runnable then) {
    to.after(
        LOOK_MS,
        () -> {
          if (!closed && capture.awaitsStream()) {
            awaitStream(capture, to, then);
          } else {
            then.run();
          }
        });
  }

  /**
   * Asks for the id of the transaction that the client's message is about to end. That follows at
   * once, and is answered later.
   */
  private void askWriter(SessionCapture capture, NotedWires to) {
    String query = capture.writerQuery();
    if (query != null) {
      Question question =
          new Question(query, rows -> capture.toldWriter(rows.isEmpty() ? null : rows.get(0)));
      ask(question, to);
      to.forget();
    }
  }

  private void ask(Question question, Wires to) {
    talk.awaited.add(Awaited.of(Awaited.Kind.QUESTION));
    talk.questions.add(question);
    question.send(to);
  }

  private @Nullable Runnable analyzing(ClientSide side, Message message) {
    try {
      return side.analyzing(message);
    } catch (RuntimeException | Error e) {
      return null; // That it cannot be read is seen again when it is handled.
    }
  }

  private NotedWires noted(Wires to) {
    NotedWires known = wires;
    if (known == null) {
      known = new NotedWires(to);
      wires = known;
    }
    known.forget();
    return known;
  }

  private boolean commits(ClientSide side, Message message) {
    try {
      return side.commits(message);
    } catch (RuntimeException | Error e) {
      failed(e);
      return false;
    }
  }

  private boolean mayShowWrites(ClientSide side, Message message) {
    try {
      return side.mayShowWrites(message);
    } catch (RuntimeException | Error e) {
      return false; // That it cannot be read is seen again when it is handled.
    }
  }

  /** A message of the client that cannot be read goes on: the server says what is wrong with it. */
  private void handle(ClientSide side, Message message, NotedWires to) {
    try {
      Check check = side.handle(message, to);
      if (check != null) {
        check(side, copied(message), to, check);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
      if (!to.sent()) {
        to.toServer(message.array(), message.offset(), message.length());
      }
    }
    follow(to);
  }

  /** Asks the server in the middle of a group of messages, and then handles the message again. */
  private void check(ClientSide side, Message waiting, NotedWires to, Check check) {
    hold.awaitAnswer(to);
    this.waiting = waiting;
    talk.check = check;
    talk.awaited.add(new Awaited(Awaited.Kind.CHECK, null, null, skipped -> check.failed()));
    check.send(
        to,
        () ->
            to.later(
                () -> {
                  if (!closed) {
                    goOn(waiting, to, () -> handle(side, waiting, to));
                    hold.answered(to);
                  }
                }));
  }

  /** The server owes no answer, as it seems. */
  private void giveUp() {
    Check check = talk.check;
    if (check != null) {
      check.giveUp();
    }
    talk.holdFor(null);
    NotedWires to = wires;
    if (to != null) {
      follow(to);
    }
  }

  /** The client is held, or goes on, as what it has sent last asks for. */
  private void follow(NotedWires to) {
    if (talk.holds() == held) {
      return;
    }
    held = !held;
    if (held) {
      hold.awaitAnswer(to);
    } else {
      to.later(
          () -> {
            if (!closed) {
              hold.answered(to);
            }
          });
    }
  }

  private void failed(Throwable failure) {
    SessionCapture capture = session;
    if (capture != null) {
      capture.unreadAnswer(failure);
      capture.lose();
    }
  }

  /** Asks the server on another thread, and then handles the message. */
  private void ask(Runnable questions, Message message, NotedWires to) {
    Message copy = copied(message);
    hold(copy, to, done -> ask(questions, to, done), () -> resume(copy, to));
  }

  /** Asks the server on another thread. The client is held. */
  private void ask(Runnable questions, NotedWires to, Runnable then) {
    to.work(
        () -> server.during(questions),
        () -> {
          answered();
          then.run();
        });
  }

  /** The server has answered, or cannot. */
  private void answered() {
    SessionCapture of = opened;
    if (of == null || session != null) {
      return;
    }
    if (closed) {
      of.closed();
      return;
    }
    Executions executions = new Executions(of, talk);
    session = of;
    talk.executions = executions;
    clientSide = new ClientSide(talk, of, executions);
  }

  /** A message that is kept for later. */
  private static Message copied(Message message) {
    byte[] bytes =
        Arrays.copyOfRange(message.array(), message.offset(), message.offset() + message.length());
    return new Message().show(bytes, 0, bytes.length);
  }

  /**
   * The message, and what the client sends after it, waits.
   *
   * @param until runs what it is given when the wait is over, on this thread
   * @param then what becomes of the message
   */
  private void hold(Message waiting, NotedWires to, Consumer<Runnable> until, Runnable then) {
    hold.hold(to);
    this.waiting = waiting;
    until.accept(
        () -> {
          if (!closed) {
            goOn(waiting, to, then);
            hold.release(to);
          }
        });
  }

  /** The message goes on, whatever fails. */
  private void goOn(Message waiting, NotedWires to, Runnable then) {
    this.waiting = null;
    to.forget();
    int before = hold.reasons();
    try {
      then.run();
    } catch (RuntimeException | Error e) {
      failed(e);
      if (!to.sent() && hold.reasons() == before) {
        to.toServer(waiting.array(), waiting.offset(), waiting.length());
      }
    }
  }

  private void resume(Message waiting, NotedWires to) {
    ClientSide side = clientSide;
    SessionCapture capture = session;
    if (side == null || capture == null) {
      to.toServer(waiting.array(), waiting.offset(), waiting.length());
    } else {
      send(side, capture, waiting, to);
    }
  }

  private void begin() {
    try {
      opened = Sessions.open(captures.apply(server), server, host, true);
    } catch (ServerLostException e) {
      if (!closed) {
        uncaptured.run();
      }
      LOG.debug("a connection has ended, or its server spoke out of turn, before it was captured");
    } catch (RuntimeException | LinkageError e) {
      uncaptured.run();
      LOG.warn("a connection is not captured: {}", e.toString());
    }
  }

  /** Sends a question. Called by the thread that waits for the answer. */
  private Question ask(String query) {
    Question question = new Question(query);
    asked.add(question);
    asked.removeIf(each -> each.answer().isDone());
    Wires to = wires;
    if (to == null || closed) {
      question.lost();
      return question;
    }
    to.later(
        () -> {
          if (closed || talk.speaksOutOfTurn || question.answer().isDone()) {
            question.lost();
          } else {
            ask(question, to);
          }
        });
    return question;
  }

  @Override
  public void closed(boolean byClient) {
    closed = true;
    asked.forEach(Question::lost); // First: who waits for one has the session's lock.
    Executions executions = talk.executions;
    SessionCapture capture = session;
    if (executions != null) {
      executions.lost();
    } else if (capture != null) {
      capture.closed();
    }
  }

  @Override
  public void givenUp(Wires to) {
    Message held = waiting;
    waiting = null;
    closed(false);
    if (held != null) {
      to.toServer(held.array(), held.offset(), held.length());
    }
  }

  @Override
  public boolean withholds() {
    boolean asks = asked.stream().anyMatch(question -> !question.answer().isDone());
    int forItsAnswer = held ? 1 : 0;
    return asks || (hold.reasons() > forItsAnswer && talk.isQuiet());
  }

  @Override
  public boolean isIdle() {
    boolean followed = clientSide != null || !begun;
    return authenticated && followed && talk.isQuiet() && server.state() == TransactionState.IDLE;
  }
}
