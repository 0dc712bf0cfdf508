package io.isotail.monitor.service;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.SharedCaptures;
import io.isotail.ingest.emit.EmitterStats;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.monitor.api.ProxyApi;
import io.isotail.monitor.config.FileWatch;
import io.isotail.monitor.config.ProxySettings;
import io.isotail.monitor.metrics.ProxyMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running proxy with its metrics and health. Safe for use by many threads. */
public final class ProxyService implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProxyService.class);
  private static final Duration RELOAD = Duration.ofSeconds(2);

  /** Kafka acknowledges heartbeats several times a second. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final ProxySettings settings;
  private final ProxyServer proxy;
  private final CapturedConversations conversations;
  private final ProxyMetrics metrics;
  private final ProxyApi http;
  private final List<FileWatch> watches = new ArrayList<>();
  private final CountDownLatch stopped = new CountDownLatch(1);

  private ProxyService(
      ProxySettings settings, ProxyServer proxy, CapturedConversations conversations) {
    this.settings = settings;
    this.proxy = proxy;
    this.conversations = conversations;
    this.metrics = new ProxyMetrics(proxy.stats(), conversations, proxy::isListening);
    this.http = ProxyApi.start(settings.http(), proxy::isListening, this::problem, metrics::scrape);
  }

  /** What is wrong, although clients may connect as long as the proxy does not stop. */
  private @Nullable String problem() {
    if (!proxy.isListening()) {
      return "the proxy is stopping";
    }
    Capture capture = conversations.capture();
    EmitterStats stream = capture == null ? EmitterStats.NONE : capture.emitted();
    return stream.silentMs() < SILENCE.toMillis()
        ? null
        : "Kafka has acknowledged nothing for %d s; %d records wait, %d were lost"
            .formatted(
                Duration.ofMillis(stream.silentMs()).toSeconds(),
                stream.queueDepth(),
                stream.dropped() + stream.failed());
  }

  /**
   * Starts a proxy. Returns as soon as it listens; the database and the broker may come later.
   *
   * @param conversations what is made of each connection
   * @throws IllegalStateException when an address cannot be had
   * @throws IllegalArgumentException when a file cannot be used
   */
  public static ProxyService start(ProxySettings settings, CapturedConversations conversations) {
    ProxyServer proxy = ProxyServer.start(settings.proxy(), conversations);
    try {
      ProxyService service = new ProxyService(settings, proxy, conversations);
      service.watch();
      return service;
    } catch (RuntimeException e) {
      proxy.close();
      throw e;
    }
  }

  private void watch() {
    List<Path> files = new ArrayList<>();
    if (settings.proxy().clientTls() != null) {
      files.add(settings.proxy().clientTls().chain());
      files.add(settings.proxy().clientTls().key());
    }
    if (settings.proxy().secrets() != null) {
      files.add(settings.proxy().secrets());
    }
    for (Path file : files) {
      FileWatch watch = new FileWatch(file, () -> reload(file));
      watch.start(RELOAD);
      watches.add(watch);
    }
  }

  private void reload(Path file) {
    try {
      proxy.reload();
      metrics.reloaded(true);
      log.info("{} has changed and is taken over", file);
    } catch (IllegalArgumentException e) {
      metrics.reloaded(false);
      log.error("{} has changed and is not taken over: {}", file, e.getMessage());
    }
  }

  /** The port that clients connect to. */
  public int port() {
    return proxy.port();
  }

  /** The port of metrics and health. */
  public int httpPort() {
    return http.port();
  }

  /** Waits until the proxy has stopped. */
  public void awaitStopped() throws InterruptedException {
    stopped.await();
  }

  /** Stops in order, which may take as long as sessions may go on. */
  @Override
  public void close() {
    watches.forEach(FileWatch::close);
    proxy.drain(Duration.ofMillis(settings.drainMs()));
    proxy.close();
    SharedCaptures.closeAll();
    http.close();
    metrics.close();
    stopped.countDown();
  }
}
