package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.Exposition;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The HTTP server of a proxy: metrics, health and readiness. */
public final class ProxyApi implements AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final HttpServer server;

  private ProxyApi(Vertx vertx, HttpServer server) {
    this.vertx = vertx;
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param ready whether clients may connect
   * @param problem what is wrong, ready or not; null for nothing
   * @param scrape the metrics, by the request's Accept header
   * @throws IllegalStateException when the address cannot be had
   */
  public static ProxyApi start(
      MonitorConfig.Http http,
      BooleanSupplier ready,
      Supplier<@Nullable String> problem,
      Function<@Nullable String, Exposition> scrape) {
    Vertx vertx = HttpPort.vertx();
    Router router = Router.router(vertx);
    router.route().handler(PageFiles::secure);
    MonitorConfig.Login login = http.login();
    if (login != null) {
      router.route().handler(new Login(login));
    }
    router.route().handler(HttpPort::requireReading);
    router.route("/healthz").handler(c -> Replies.text(c, 200, "text/plain", "ok\n"));
    router
        .route("/readyz")
        .handler(
            c -> {
              boolean now = ready.getAsBoolean();
              ObjectNode node = JsonNodeFactory.instance.objectNode().put("ready", now);
              Replies.json(c, now ? 200 : 503, node.put("problem", problem.get()));
            });
    router.route("/metrics").handler(c -> HttpPort.metrics(vertx, scrape, c));
    router
        .route()
        .last()
        .handler(c -> Replies.error(c, 404, "%s does not exist".formatted(c.request().path())));
    return new ProxyApi(vertx, HttpPort.listen(vertx, http, router));
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  @Override
  public void close() {
    HttpPort.close(vertx, CLOSE);
  }
}
