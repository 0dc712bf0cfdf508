package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Conversations;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop of a proxy, with the connections that it has accepted. All loops listen together;
 * Vert.x gives each its turn. For its own thread unless a method says otherwise.
 */
final class ProxyLoop extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyLoop.class);

  /** Connections that may wait to be accepted. */
  private static final int BACKLOG = 1_024;

  /** How long what was written may take to go out before a connection is closed all the same. */
  private static final long LINGER_MS = 30_000;

  private static final long MEASURE_MS = 500;

  private final ProxyConfig config;
  private final Conversations conversations;
  private final ProxyStats stats;
  private final Tls tls;
  private final Supplier<Secrets> secrets;
  private final Workers workers;
  private final CancelKeys cancelKeys;
  private final int port;
  private final Set<ClientStart> starts = new HashSet<>();
  private final Set<Session> sessions = new HashSet<>();
  private volatile @Nullable NetServer server;
  private @Nullable NetClient client;
  private volatile @Nullable Context ownContext;
  private boolean draining;

  /**
   * A loop, which begins when Vert.x starts it.
   *
   * @param port to listen on; below 0 for any free one, the same for every loop
   * @param secrets the secrets as they are now
   */
  ProxyLoop(
      ProxyConfig config,
      Conversations conversations,
      ProxyStats stats,
      Tls tls,
      Supplier<Secrets> secrets,
      Workers workers,
      CancelKeys cancelKeys,
      int port) {
    this.config = config;
    this.conversations = conversations;
    this.stats = stats;
    this.tls = tls;
    this.secrets = secrets;
    this.workers = workers;
    this.cancelKeys = cancelKeys;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    ownContext = context;
    client =
        vertx.createNetClient(
            new NetClientOptions().setConnectTimeout(config.startMs()).setTcpKeepAlive(true));
    NetServer made =
        vertx.createNetServer(
            new NetServerOptions().setAcceptBacklog(BACKLOG).setTcpKeepAlive(true));
    server = made;
    measure();
    return made.connectHandler(this::accept).listen(port, config.listen().host());
  }

  /** Port that it listens on. Safe for any thread once it has started. */
  int port() {
    return server == null ? 0 : server.actualPort();
  }

  ProxyConfig settings() {
    return config;
  }

  Conversations conversations() {
    return conversations;
  }

  ProxyStats stats() {
    return stats;
  }

  Tls tls() {
    return tls;
  }

  Secrets secrets() {
    return secrets.get();
  }

  boolean isDraining() {
    return draining;
  }

  long nanoTime() {
    return System.nanoTime();
  }

  private void accept(NetSocket socket) {
    int open = stats.opened();
    socket.closeHandler(closed -> stats.closed());
    Side side = side(socket);
    // Twice as many may still be told why they are refused.
    if (open > 2L * config.mostConnections()) {
      stats.add(Count.REFUSED);
      side.abort();
      return;
    }
    starts.add(ClientStart.begin(this, side));
  }

  /** The side of a socket of this loop, whose handlers are not set yet. */
  Side side(NetSocket socket) {
    return new Side((ContextInternal) context, (NetSocketInternal) socket, config.waitingBytes());
  }

  /** A connection to the server. */
  Future<NetSocket> connect() {
    NetClient started = client;
    return started == null
        ? Future.failedFuture("not started")
        : started.connect(config.upstream().port(), config.upstream().host());
  }

  void forget(ClientStart start) {
    starts.remove(start);
  }

  void add(Session session) {
    sessions.add(session);
    if (draining) {
      session.drain();
    }
  }

  void forget(Session session) {
    sessions.remove(session);
  }

  /** Does something after a time; {@link #cancel} takes what this returns. */
  long after(long ms, Runnable task) {
    return vertx.setTimer(ms, fired -> task.run());
  }

  void cancel(long timer) {
    vertx.cancelTimer(timer);
  }

  /** Closes a side once what was written has gone out, which may take {@value #LINGER_MS} ms. */
  void closeSoon(Side side) {
    if (side.isOpen()) {
      side.close();
      long timer = after(LINGER_MS, side::abort);
      side.handlers((bytes, from, to) -> {}, () -> cancel(timer), () -> {});
    }
  }

  CancelKeys cancelKeys() {
    return cancelKeys;
  }

  Workers workers() {
    return workers;
  }

  /** Runs a task on a worker, and what follows on this loop. */
  void work(WorkerExecutor on, Callable<@Nullable Void> task, Runnable then) {
    on.executeBlocking(task, false).onComplete(done -> run(then));
  }

  /** Runs a task on this loop, soon; not if the proxy is gone by then. Safe for any thread. */
  void run(Runnable task) {
    Context started = ownContext;
    if (started != null) {
      try {
        started.runOnContext(now -> task.run());
      } catch (RejectedExecutionException e) {
        LOG.debug("a task came after the end", e);
      }
    }
  }

  /**
   * Listens no more, and has sessions end as soon as nothing is lost by that.
   *
   * @param mostMs after which those that are left are ended
   */
  void drain(long mostMs) {
    draining = true;
    if (server != null) {
      server.shutdown(mostMs + LINGER_MS, TimeUnit.MILLISECONDS);
    }
    List.copyOf(starts).forEach(ClientStart::drain);
    List.copyOf(sessions).forEach(Session::drain);
  }

  /** Ends every session. */
  void stopSessions() {
    List.copyOf(sessions).forEach(Session::stop);
  }

  /** Counts how late tasks of this loop begin. */
  private void measure() {
    long dueNs = nanoTime() + TimeUnit.MILLISECONDS.toNanos(MEASURE_MS);
    after(
        MEASURE_MS,
        () -> {
          stats.loopWaits().add(Math.max(0, nanoTime() - dueNs));
          measure();
        });
  }
}
