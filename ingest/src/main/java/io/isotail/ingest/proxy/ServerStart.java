package io.isotail.ingest.proxy;

import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to reach the server: a connection, and TLS on it where that is asked for. For the
 * thread of its event loop.
 */
final class ServerStart {
  /** Told once how the attempt ends, unless it is given up. */
  interface Listener {
    /** The server is reached; its handlers are to be set at once. */
    void reached(Side server);

    /** It is not. */
    void failed(StartFailure why, String text);
  }

  private static final byte[] NOTHING = {};

  private final ProxyLoop loop;
  private final Listener listener;
  private final ProxyConfig config;
  private @Nullable Side server;
  private boolean over;

  private ServerStart(ProxyLoop loop, Listener listener) {
    this.loop = loop;
    this.listener = listener;
    this.config = loop.settings();
  }

  /** Begins an attempt on an event loop. */
  static ServerStart begin(ProxyLoop loop, Listener listener) {
    ServerStart start = new ServerStart(loop, listener);
    start.connect();
    return start;
  }

  /** Gives up; nothing is told any more. */
  void giveUp() {
    over = true;
    if (server != null) {
      server.abort();
    }
  }

  private void connect() {
    loop.connect()
        .onComplete(
            done -> {
              if (done.failed()) {
                fail(
                    StartFailure.SERVER_UNREACHABLE,
                    "could not connect to the server at %s: %s"
                        .formatted(config.upstream(), Tls.message(done.cause())));
                return;
              }
              Side connected = loop.side(done.result());
              server = connected;
              if (over) {
                connected.abort();
              } else if (config.upstreamTls() == UpstreamTls.DISABLE) {
                reached(connected);
              } else {
                askForTls(connected);
              }
            });
  }

  private void askForTls(Side asked) {
    asked.handlers(
        (bytes, from, to) -> answered(asked, bytes, from, to),
        () -> failTls("it closed the connection when asked for TLS"),
        () -> {});
    asked.write(Replies.TLS_REQUEST);
  }

  private void answered(Side asked, byte[] bytes, int from, int to) {
    boolean alone = to - from == 1;
    if (alone && bytes[from] == Replies.YES[0]) {
      asked.startTls(
          loop.tls().serverHandler(ByteBufAllocator.DEFAULT),
          NOTHING,
          NOTHING,
          failure -> {
            if (failure != null) {
              failTls("TLS failed: " + Tls.message(failure));
            } else if (!over) {
              loop.stats().add(Count.SERVER_HANDSHAKES);
              reached(asked);
            }
          });
    } else if (alone && bytes[from] == Replies.NO[0]) {
      if (config.upstreamTls() == UpstreamTls.PREFER) {
        reached(asked);
      } else {
        failTls("it has no TLS, and the proxy must not go without");
      }
    } else {
      failTls("it gave no answer to a request for TLS");
    }
  }

  private void reached(Side connected) {
    over = true;
    server = null;
    listener.reached(connected);
  }

  private void failTls(String text) {
    fail(StartFailure.SERVER_TLS, "the server at %s: %s".formatted(config.upstream(), text));
  }

  /** The first failure is told; what follows from it is not. */
  private void fail(StartFailure why, String text) {
    if (!over) {
      giveUp();
      listener.failed(why, "isotail proxy: " + text);
    }
  }
}
