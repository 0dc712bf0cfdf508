package io.isotail.monitor.api;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.Exposition;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every HTTP server of isotail has: how it listens and stops, and its metrics. */
final class HttpPort {
  private static final Logger log = LoggerFactory.getLogger(HttpPort.class);
  private static final int EVENT_LOOPS = 2;
  private static final int WORKERS = 4;
  private static final int IDLE_TIMEOUT_S = 60;
  private static final Duration START = Duration.ofSeconds(15);

  private HttpPort() {}

  /** Event loops for one server. */
  static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS).setWorkerPoolSize(WORKERS));
  }

  /**
   * Starts to listen; closes the event loops if that fails.
   *
   * @throws IllegalStateException when the address cannot be had
   */
  static HttpServer listen(Vertx vertx, MonitorConfig.Http http, Router router) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(http.host())
            .setPort(http.port())
            .setCompressionSupported(true)
            // A client that asks to go on in HTTP/2 is answered in HTTP/1.1: with Vert.x 5.0.12 and
            // the client of JDK 17, every some thousandth answer over a changed connection was
            // lost.
            .setHttp2ClearTextEnabled(false)
            .setIdleTimeout(IDLE_TIMEOUT_S);
    MonitorConfig.Tls tls = http.tls();
    if (tls != null) {
      options
          .setSsl(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(tls.certificate().toString())
                  .setKeyPath(tls.key().toString()));
    }
    try {
      return await(vertx.createHttpServer(options).requestHandler(router).listen(), START);
    } catch (ExecutionException | TimeoutException e) {
      vertx.close();
      throw new IllegalStateException(
          "cannot listen on http.host=%s http.port=%d: %s"
              .formatted(http.host(), http.port(), e.getMessage()),
          e);
    }
  }

  /** Stops, and gives up waiting for that after {@code most}. */
  static void close(Vertx vertx, Duration most) {
    try {
      await(vertx.close(), most);
    } catch (ExecutionException | TimeoutException e) {
      log.warn("the HTTP server did not stop in order", e);
    }
  }

  /** Lets requests pass that change nothing. */
  static void requireReading(RoutingContext context) {
    HttpMethod method = context.request().method();
    if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      context.next();
      return;
    }
    context.response().putHeader("Allow", "GET, HEAD");
    Replies.error(context, 405, "method %s; expected GET or HEAD".formatted(method));
  }

  /** Answers with metrics, which are asked for on a worker. */
  static void metrics(
      Vertx vertx, Function<@Nullable String, Exposition> scrape, RoutingContext context) {
    String accept = context.request().getHeader("Accept");
    vertx
        .executeBlocking(() -> scrape.apply(accept), false)
        .onSuccess(
            found -> {
              context.response().putHeader("Content-Type", found.contentType());
              Replies.end(context, Buffer.buffer(found.body()));
            })
        .onFailure(context::fail);
  }

  private static <T> T await(Future<T> future, Duration timeout)
      throws ExecutionException, TimeoutException {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ExecutionException("interrupted", e);
    }
  }
}
