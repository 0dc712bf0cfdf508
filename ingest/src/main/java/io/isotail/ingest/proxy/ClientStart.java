package io.isotail.ingest.proxy;

import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.isotail.ingest.proxy.Replies.Cause;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A client until its session begins: requests for encryption, a request to cancel, or a start-up
 * message, for which the server is reached. For the thread of its event loop.
 *
 * <p>Bounds: {@link StartPacket#MOST} bytes of a packet, and the time that the configuration allows
 * for all of it.
 */
final class ClientStart {
  /** What TLS begins with: a record of its handshake. */
  private static final byte TLS_RECORD = 0x16;

  private static final byte[] NOTHING = {};

  private final ProxyLoop loop;
  private final ProxyStats stats;
  private final Side client;
  private final long timer;
  private byte[] came = NOTHING;
  private boolean anythingCame;
  private StartPacket.@Nullable Kind answered;
  private boolean over;
  private @Nullable ServerStart attempt;

  /** A request to cancel that waits for the statement that it means; null if there is none. */
  private byte @Nullable [] cancels;

  private ClientStart(ProxyLoop loop, Side client) {
    this.loop = loop;
    this.stats = loop.stats();
    this.client = client;
    this.timer = loop.after(loop.settings().startMs(), this::timeUp);
  }

  /** Takes a client that has just connected. */
  static ClientStart begin(ProxyLoop loop, Side client) {
    ClientStart start = new ClientStart(loop, client);
    client.handlers(start::read, start::left, () -> {});
    return start;
  }

  private void read(byte[] bytes, int from, int to) {
    if (over || from == to) {
      return;
    }
    stats.add(Count.CLIENT_BYTES, to - from);
    if (!anythingCame && bytes[from] == TLS_RECORD) {
      anythingCame = true;
      beginTls(NOTHING, Arrays.copyOfRange(bytes, from, to), true);
      return;
    }
    anythingCame = true;
    int had = came.length;
    came = Arrays.copyOf(came, had + to - from);
    System.arraycopy(bytes, from, came, had, to - from);
    if (attempt != null || came.length < StartPacket.CODE) {
      return;
    }
    int length = StartPacket.length(came, 0);
    if (length == 0) {
      fail(StartFailure.BAD_PACKET);
    } else if (came.length >= length) {
      byte[] packet = Arrays.copyOf(came, length);
      came = Arrays.copyOfRange(came, length, came.length);
      handle(packet);
    }
  }

  private void handle(byte[] bytes) {
    StartPacket packet = StartPacket.of(bytes);
    switch (packet.kind()) {
      case TLS -> {
        if (loop.tls().isOffered() && came.length > 0) {
          fail(StartFailure.BAD_PACKET);
          return;
        }
        if (refuses(packet, "SSL")) {
          return;
        }
        if (loop.tls().isOffered()) {
          beginTls(Replies.YES, NOTHING, false);
        } else {
          client.write(Replies.NO);
        }
      }
      case GSS_ENCRYPTION -> {
        if (!refuses(packet, "GSSAPI encryption")) {
          client.write(Replies.NO);
        }
      }
      case CANCEL -> cancel(bytes);
      case START_UP -> startUp(packet, bytes);
      case REFUSED -> {
        // The server says why.
        stats.add(StartFailure.BAD_PACKET);
        startUp(packet, bytes);
      }
    }
  }

  /**
   * Whether a request for encryption is refused, which the client is told as by a server: it takes
   * none within TLS, and none twice without the other one between.
   */
  private boolean refuses(StartPacket packet, String request) {
    if (packet.kind() == answered || client.isTls()) {
      stats.add(StartFailure.BAD_PACKET);
      refuse(
          Cause.UNSUPPORTED,
          "unsupported frontend protocol %d.%d: server supports 3.0 to 3.0"
              .formatted(packet.code() >>> 16, packet.code() & 0xffff));
      return true;
    }
    // What came after it in clear cannot be told from what somebody between has put there.
    if (came.length > 0) {
      stats.add(StartFailure.BAD_PACKET);
      client.write(Replies.NO);
      refuse(Cause.PROTOCOL, "received unencrypted data after " + request + " request");
      return true;
    }
    answered = packet.kind();
    return false;
  }

  private void beginTls(byte[] before, byte[] hello, boolean atOnce) {
    if (!loop.tls().isOffered()) {
      fail(StartFailure.BAD_PACKET);
      return;
    }
    SslHandler handler = loop.tls().clientHandler(ByteBufAllocator.DEFAULT);
    client.handlers((bytes, from, to) -> {}, this::left, () -> {});
    client.startTls(
        handler,
        before,
        hello,
        failure -> {
          if (failure != null) {
            fail(StartFailure.CLIENT_TLS);
          } else if (atOnce && !Tls.PROTOCOL.equals(handler.applicationProtocol())) {
            fail(StartFailure.CLIENT_TLS);
          } else {
            stats.add(Count.CLIENT_HANDSHAKES);
            client.handlers(this::read, this::left, () -> {});
          }
        });
  }

  private void startUp(StartPacket packet, byte[] bytes) {
    if (stats.open() > loop.settings().mostConnections()) {
      stats.add(Count.REFUSED);
      refuse(Cause.TOO_MANY, "sorry, too many clients already at isotail proxy");
      return;
    }
    if (loop.isDraining()) {
      stats.add(Count.REFUSED);
      refuse(Cause.STOPPING, "isotail proxy is shutting down");
      return;
    }
    client.pause(Side.Pause.STARTING);
    attempt =
        ServerStart.begin(
            loop,
            new ServerStart.Listener() {
              @Override
              public void reached(Side server) {
                end();
                stats.add(Count.SESSIONS);
                Session.begin(loop, client, server, packet, bytes, came);
                client.resume(Side.Pause.STARTING);
              }

              @Override
              public void failed(StartFailure why, String text) {
                stats.add(why);
                refuse(Cause.NO_SERVER, text);
              }
            });
  }

  /**
   * Passes a request to cancel on, even if the client does not wait for what becomes of it. The
   * server must have heard of the statement that it means, and must not be answering isotail.
   */
  private void cancel(byte[] bytes) {
    client.handlers((more, from, to) -> {}, () -> {}, () -> {});
    Session session = loop.cancelKeys().meantBy(bytes);
    if (session == null) {
      passCancel(bytes);
    } else {
      cancels = bytes;
      session.onceSent(() -> loop.run(() -> passCancel(bytes)));
    }
  }

  private void passCancel(byte[] bytes) {
    cancels = null;
    if (over || attempt != null) {
      return;
    }
    attempt =
        ServerStart.begin(
            loop,
            new ServerStart.Listener() {
              @Override
              public void reached(Side server) {
                stats.add(Count.CANCELS);
                long limit = loop.after(loop.settings().startMs(), server::abort);
                server.handlers(
                    (more, from, to) -> {},
                    () -> {
                      loop.cancel(limit);
                      end();
                      loop.closeSoon(client);
                    },
                    () -> {});
                attempt = null;
                server.write(bytes);
              }

              @Override
              public void failed(StartFailure why, String text) {
                stats.add(why);
                end();
                loop.closeSoon(client);
              }
            });
  }

  /** The proxy stops: what has not become a session does not become one. */
  void drain() {
    if (cancels != null) {
      passCancel(cancels);
    } else if (!over && attempt == null) {
      stats.add(Count.REFUSED);
      refuse(Cause.STOPPING, "isotail proxy is shutting down");
    }
  }

  private void timeUp() {
    if (cancels != null) {
      passCancel(cancels);
      return;
    }
    fail(StartFailure.TIMEOUT);
  }

  private void left() {
    fail(StartFailure.CLIENT_LEFT);
  }

  private void fail(StartFailure why) {
    if (!over) {
      stats.add(why);
      end();
      client.abort();
    }
  }

  private void refuse(Cause cause, String text) {
    end();
    client.handlers((bytes, from, to) -> {}, () -> {}, () -> {});
    client.write(Replies.fatal(cause, text));
    loop.closeSoon(client);
  }

  private void end() {
    over = true;
    loop.cancel(timer);
    loop.forget(this);
    if (attempt != null) {
      attempt.giveUp();
      attempt = null;
    }
  }
}
