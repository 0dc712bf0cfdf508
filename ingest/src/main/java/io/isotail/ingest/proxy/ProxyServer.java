package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Conversations;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A proxy between clients and a PostgreSQL server. It never pools, never routes, and passes on what
 * its conversations do not change. Safe for any thread.
 */
public final class ProxyServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final long POLL_NS = 10_000_000;

  /** Threads of Vert.x for what it does itself that may wait, such as looking a name up. */
  private static final int OWN_WORKERS = 4;

  private final Vertx vertx;
  private final ProxyConfig config;
  private final ProxyStats stats = new ProxyStats();
  private final Tls tls;
  private final List<ProxyLoop> loops = new ArrayList<>();
  private volatile Secrets secrets;
  private volatile boolean draining;

  private ProxyServer(Vertx vertx, ProxyConfig config) {
    this.vertx = vertx;
    this.config = config;
    this.tls = new Tls(vertx, config);
    this.secrets = readSecrets(config);
    vertx.exceptionHandler(
        failure -> {
          stats.add(Count.INTERNAL_FAILURES);
          LOG.error("a task of an event loop failed", failure);
        });
  }

  /**
   * Starts to listen. The server need not be there yet.
   *
   * @throws IllegalArgumentException when a file cannot be used
   * @throws IllegalStateException when the address cannot be had
   */
  public static ProxyServer start(ProxyConfig config, Conversations conversations) {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(config.eventLoops())
                .setWorkerPoolSize(OWN_WORKERS)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
    try {
      ProxyServer proxy = new ProxyServer(vertx, config);
      proxy.listen(conversations);
      return proxy;
    } catch (RuntimeException e) {
      vertx.close();
      throw e;
    }
  }

  private void listen(Conversations conversations) {
    int processors = Runtime.getRuntime().availableProcessors();
    Workers workers =
        new Workers(
            vertx.createSharedWorkerExecutor("isotail-proxy-work", config.workers()),
            vertx.createSharedWorkerExecutor("isotail-proxy-compute", processors));
    CancelKeys cancelKeys = new CancelKeys();
    int port = config.listen().port() == 0 ? -1 : config.listen().port();
    for (int i = 0; i < config.eventLoops(); i++) {
      ProxyLoop loop =
          new ProxyLoop(
              config, conversations, stats, tls, () -> secrets, workers, cancelKeys, port);
      loops.add(loop);
      try {
        await(vertx.deployVerticle(loop), START);
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException(
            "cannot listen on %s: %s".formatted(config.listen(), Tls.message(e)), e);
      }
    }
  }

  /** The port that it listens on. */
  public int port() {
    return loops.get(0).port();
  }

  /** What it has counted. */
  public ProxyStats stats() {
    return stats;
  }

  /** Whether it takes connections. */
  public boolean isListening() {
    return !draining;
  }

  /**
   * Takes the certificate, its key and the secrets over as the files have them now. Connections
   * keep what they began with.
   *
   * @throws IllegalArgumentException when one cannot be used; then all are kept as they were
   */
  public void reload() {
    Secrets read = readSecrets(config);
    tls.reload();
    secrets = read;
  }

  private static Secrets readSecrets(ProxyConfig config) {
    Path file = config.secrets();
    return file == null ? Secrets.NONE : Secrets.read(file);
  }

  /**
   * Stops in order: takes no more connections, ends each session once it is idle, and after a time
   * those that are left. Returns when none is open any more, or a little after that time.
   *
   * @param most how long sessions may go on
   */
  public void drain(Duration most) {
    draining = true;
    loops.forEach(loop -> loop.run(() -> loop.drain(most.toMillis())));
    awaitNoneOpen(most);
    loops.forEach(loop -> loop.run(loop::stopSessions));
    awaitNoneOpen(Duration.ofSeconds(1));
  }

  private void awaitNoneOpen(Duration most) {
    long deadlineNs = System.nanoTime() + most.toNanos();
    while (stats.open() > 0 && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(POLL_NS);
    }
  }

  /** Closes every connection and stops. */
  @Override
  public void close() {
    draining = true;
    try {
      await(vertx.close(), STOP);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the proxy did not stop in order", e);
    }
  }

  private static <T> T await(Future<T> future, Duration most)
      throws ExecutionException, TimeoutException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException("interrupted", e);
    }
  }
}
