package io.isotail.ingest.proxy;

import io.isotail.ingest.capture.LoggedFailure;
import io.isotail.ingest.postgres.Conversation;
import io.isotail.ingest.postgres.Message;
import io.isotail.ingest.postgres.Wires;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.isotail.ingest.proxy.Replies.Cause;
import io.isotail.ingest.proxy.ScramLogin.RefusedException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client and its server from the start-up message on. Each piece of bytes that was read is cut
 * into messages, shown to the conversation where it looks at them, and what goes on to a side is
 * written at once at the end of the piece. For the thread of its event loop, but for {@link
 * #later}.
 */
final class Session implements Wires {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  /** What a server takes before it knows who somebody is. */
  private static final int MOST_BEFORE_LOGIN = 65_536;

  /** PostgreSQL's own bound of a message, less than which no message that is taken has. */
  private static final int MOST = 0x3fff_ffff;

  /** The server's message with the key that a request to cancel must have. */
  private static final byte BACKEND_KEY_DATA = 'K';

  /** How long a request to cancel waits for a statement that is held. */
  private static final long MOST_HELD_MS = 5_000;

  /** How long it takes at most to read what the client has sent while it was held. */
  private static final long READ_MS = 20;

  private final ProxyLoop loop;
  private final ProxyStats stats;
  private final Side client;
  private final Side server;
  private final GuardedConversation conversation;
  private final Login login;
  private final Framer fromClient = new Framer(new ClientSink());
  private final Framer fromServer = new Framer(new ServerSink());
  private final Outbox toClient = new Outbox();
  private final Outbox toServer = new Outbox();

  /** What the client has sent and nobody was shown yet. */
  private final Deque<Piece> waiting = new ArrayDeque<>(0);

  private final WorkQueue works;
  private boolean held;

  /** Whether the client goes on, and what it sent while it was held may not have been read. */
  private boolean released;

  /** How often it went on. */
  private int releases;

  /** What waits until nothing of the client is held back, with the timers that end its wait. */
  private final Map<Runnable, Long> onceSent = new LinkedHashMap<>(0);

  private @Nullable ByteBuffer cancelKey;

  /** Work that may wait for the server: what it says is read even while the client is full. */
  private int waitingForServer;

  private boolean clientEnded;
  private boolean closed;
  private boolean draining;
  private boolean acting;
  private long clientCameNs;
  private long serverCameNs;

  private Session(ProxyLoop loop, Side client, Side server, StartPacket packet) {
    this.loop = loop;
    this.stats = loop.stats();
    this.client = client;
    this.server = server;
    this.works = new WorkQueue(loop, this::run);
    Conversation opened =
        packet.isReplication() || packet.kind() == StartPacket.Kind.REFUSED
            ? Conversation.UNSEEN
            : GuardedConversation.open(
                loop.conversations(), packet, loop.settings().upstream().toString(), stats);
    this.conversation = new GuardedConversation(opened, stats, this);
    String user = packet.parameters().getOrDefault("user", "");
    this.login = new Login(user, loop.secrets().of(user));
  }

  /**
   * Begins a session.
   *
   * @param start the start-up message as it came
   * @param rest what came after it
   */
  static void begin(
      ProxyLoop loop, Side client, Side server, StartPacket packet, byte[] start, byte[] rest) {
    Session session = new Session(loop, client, server, packet);
    loop.add(session);
    server.write(start);
    server.handlers(session::readServer, session::serverEnded, session::serverWritable);
    client.handlers(session::readClient, session::clientEnded, session::clientWritable);
    if (rest.length > 0 && !session.closed) {
      session.takeClient(new Piece(rest, 0, rest.length, loop.nanoTime()));
    }
  }

  private void readClient(byte[] bytes, int from, int to) {
    released = false;
    stats.add(Count.CLIENT_BYTES, to - from);
    takeClient(new Piece(bytes, from, to, loop.nanoTime()));
  }

  private void takeClient(Piece piece) {
    waiting.add(piece);
    act(() -> {});
  }

  private void readServer(byte[] bytes, int from, int to) {
    stats.add(Count.SERVER_BYTES, to - from);
    serverCameNs = loop.nanoTime();
    act(() -> fromServer.take(bytes, from, to));
  }

  /** Takes a step, shows what waits, writes what that leads to, and sees what follows. */
  private void act(Runnable step) {
    boolean outermost = !acting;
    acting = true;
    try {
      step.run();
      if (!outermost) {
        return;
      }
      if (!closed) {
        showWaiting();
      }
      if (!closed) {
        flush();
      }
      acting = false;
      tellSent();
      if (clientEnded && !closed && !held && waiting.isEmpty()) {
        end(true);
      }
      if (draining) {
        closeIfIdle();
      }
    } catch (RuntimeException | Error e) {
      acting = false;
      abandon(e);
    }
  }

  /**
   * Does something as soon as the server has heard of the statement that the client has sent, or
   * after {@value #MOST_HELD_MS} ms. Safe for any thread.
   */
  void onceSent(Runnable then) {
    loop.run(
        () -> {
          if (isSent()) {
            then.run();
            return;
          }
          long timer =
              loop.after(
                  MOST_HELD_MS,
                  () -> {
                    if (onceSent.remove(then) != null) {
                      then.run();
                    }
                  });
          onceSent.put(then, timer);
          if (released) {
            readSoon();
          }
        });
  }

  private boolean isSent() {
    return closed || (held ? !conversation.withholds() : !released && waiting.isEmpty());
  }

  private void tellSent() {
    while (!onceSent.isEmpty() && isSent()) {
      Runnable first = onceSent.keySet().iterator().next();
      loop.cancel(onceSent.remove(first));
      first.run();
    }
  }

  /** What the client had sent when it was released has been read a little later. */
  private void readSoon() {
    int release = releases;
    loop.after(
        READ_MS,
        () -> {
          if (release == releases) {
            released = false;
            tellSent();
          }
        });
  }

  /** Something that must not happen has happened: better no connection than a stuck one. */
  private void abandon(Throwable failure) {
    stats.add(Count.INTERNAL_FAILURES);
    LOG.error("a connection is closed after a failure of the proxy", LoggedFailure.of(failure));
    if (!closed) {
      close(false);
    }
    client.abort();
    server.abort();
  }

  private void showWaiting() {
    while (!held && !closed && !waiting.isEmpty()) {
      Piece piece = waiting.remove();
      clientCameNs = piece.cameNs;
      piece.from = fromClient.take(piece.bytes, piece.from, piece.to);
      if (piece.from < piece.to && !closed) {
        waiting.addFirst(piece);
      }
    }
  }

  private void flush() {
    if (!toServer.isEmpty() || !toClient.isEmpty()) {
      long nowNs = loop.nanoTime();
      if (!toServer.isEmpty()) {
        server.write(toServer.takeAll());
        stats.toServer().add(nowNs - clientCameNs);
      }
      if (!toClient.isEmpty()) {
        client.write(toClient.takeAll());
        stats.toClient().add(nowNs - serverCameNs);
      }
    }
    if (!server.isWritable()) {
      client.pause(Side.Pause.OTHER_IS_FULL);
    }
    if (!client.isWritable() && waitingForServer == 0) {
      server.pause(Side.Pause.OTHER_IS_FULL);
    }
  }

  private void serverWritable() {
    client.resume(Side.Pause.OTHER_IS_FULL);
  }

  private void clientWritable() {
    server.resume(Side.Pause.OTHER_IS_FULL);
  }

  private void clientEnded() {
    clientEnded = true;
    act(() -> {});
  }

  private void serverEnded() {
    end(false);
  }

  /** One side has ended; what it has sent goes on to the other, which is then closed. */
  private void end(boolean byClient) {
    if (closed) {
      return;
    }
    if (byClient) {
      fromClient.end();
    } else {
      fromServer.end();
    }
    flush();
    close(byClient);
    loop.closeSoon(byClient ? server : client);
  }

  /** The proxy stops: the session is closed as soon as nothing is lost by that. */
  void drain() {
    draining = true;
    act(() -> {});
  }

  /** Ends the session as a server does that stops. */
  void stop() {
    stop(Cause.STOPPED, "terminating connection due to administrator command");
  }

  /** Tells both sides that the session ends, but not in the middle of a message, and ends it. */
  private void stop(Cause cause, String text) {
    if (closed) {
      return;
    }
    if (fromServer.isBetweenMessages()) {
      byte[] error = Replies.fatal(cause, text);
      toClient.add(error, 0, error.length);
    }
    // Put behind half a statement, it could make the server take that for a whole one.
    if (fromClient.isBetweenMessages()) {
      toServer.add(Replies.TERMINATE, 0, Replies.TERMINATE.length);
    }
    flush();
    close(false);
    loop.closeSoon(client);
    loop.closeSoon(server);
  }

  private void close(boolean byClient) {
    closed = true;
    loop.forget(this);
    loop.cancelKeys().remove(cancelKey, this);
    waiting.clear();
    tellSent();
    conversation.closed(byClient);
    toServer.clear();
    toClient.clear();
  }

  /** Bytes ever handed over for the server. */
  long sentToServer() {
    return toServer.total();
  }

  /** Bytes ever handed over for the client. */
  long sentToClient() {
    return toClient.total();
  }

  private void closeIfIdle() {
    if (!closed
        && !held
        && waiting.isEmpty()
        && fromClient.isBetweenMessages()
        && fromServer.isBetweenMessages()
        && conversation.isIdle()) {
      stop();
    }
  }

  private final class ClientSink implements Framer.Sink {
    @Override
    public boolean looksAt(byte type, int length) {
      return login.looksAtClient(type, length)
          || (length <= (login.isDone() ? MOST : MOST_BEFORE_LOGIN)
              && conversation.looksAtClient(type, length));
    }

    @Override
    public void pass(byte[] bytes, int offset, int length) {
      toServer.add(bytes, offset, length);
    }

    @Override
    public void message(Message message) {
      stats.add(Count.CLIENT_MESSAGES);
      if (login.looksAtClient(message.type(), message.length())) {
        try {
          login.fromClient(message, Session.this);
        } catch (RefusedException e) {
          refuse(e);
        }
      } else {
        conversation.fromClient(message);
      }
    }

    @Override
    public boolean stops() {
      return held || closed;
    }

    @Override
    public void lost(byte type, int length) {
      framingLost();
    }
  }

  private final class ServerSink implements Framer.Sink {
    @Override
    public boolean looksAt(byte type, int length) {
      return isKey(type, length)
          || login.looksAtServer(type, length)
          || conversation.looksAtServer(type, length);
    }

    @Override
    public void pass(byte[] bytes, int offset, int length) {
      toClient.add(bytes, offset, length);
    }

    @Override
    public void message(Message message) {
      boolean key = isKey(message.type(), message.length());
      if (key) {
        cancelKey = loop.cancelKeys().add(message, Session.this);
      }
      if (login.looksAtServer(message.type(), message.length())) {
        Message told = afterLogin(message);
        if (told != null) {
          tell(told);
        }
      } else if (key) {
        tell(message);
      } else {
        show(message);
      }
    }

    private boolean isKey(byte type, int length) {
      return type == BACKEND_KEY_DATA && cancelKey == null && length <= MOST_BEFORE_LOGIN;
    }

    /** A message that was looked at for something else. */
    private void tell(Message told) {
      if (conversation.looksAtServer(told.type(), told.length())) {
        show(told);
      } else {
        toClient.add(told.array(), told.offset(), told.length());
      }
    }

    private void show(Message message) {
      stats.add(Count.SERVER_MESSAGES);
      conversation.fromServer(message);
    }

    @Override
    public boolean stops() {
      return closed;
    }

    @Override
    public void lost(byte type, int length) {
      framingLost();
    }
  }

  /** What of a message of the login is left for the client; null for nothing. */
  private @Nullable Message afterLogin(Message message) {
    try {
      Message told = login.fromServer(message, this);
      if (login.isDone() && login.isOwn()) {
        stats.add(Count.LOGINS);
      }
      return told;
    } catch (RefusedException e) {
      refuse(e);
      return null;
    }
  }

  private void refuse(RefusedException refused) {
    stats.add(StartFailure.LOGIN);
    stop(refused.reason(), String.valueOf(refused.getMessage()));
  }

  /** The side itself will see that what follows are no messages; until then it goes on. */
  private void framingLost() {
    stats.add(Count.FRAMING_LOST);
    conversation.giveUp();
  }

  @Override
  public void toServer(byte[] bytes, int offset, int length) {
    if (!closed) {
      toServer.add(bytes, offset, length);
    }
  }

  @Override
  public void toClient(byte[] bytes, int offset, int length) {
    if (!closed) {
      toClient.add(bytes, offset, length);
    }
  }

  @Override
  public void holdClient() {
    held = true;
    client.pause(Side.Pause.HELD);
  }

  @Override
  public void releaseClient() {
    held = false;
    released = true;
    releases++;
    client.resume(Side.Pause.HELD);
    if (!onceSent.isEmpty()) {
      readSoon();
    }
  }

  @Override
  public boolean isServerBetweenMessages() {
    return !fromClient.isPassing();
  }

  @Override
  public void work(Runnable work, Runnable then) {
    waitingForServer++;
    server.resume(Side.Pause.OTHER_IS_FULL);
    works.add(
        loop.workers().waiting(),
        work,
        () -> {
          waitingForServer--;
          then.run();
        });
  }

  @Override
  public void compute(Runnable work, Runnable then) {
    works.add(loop.workers().computing(), work, then);
  }

  @Override
  public void later(Runnable task) {
    loop.run(() -> run(task));
  }

  @Override
  public void after(long ms, Runnable task) {
    loop.after(ms, () -> run(task));
  }

  private void run(Runnable task) {
    act(() -> conversation.guard(task));
  }
}
