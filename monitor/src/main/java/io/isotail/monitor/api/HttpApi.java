package io.isotail.monitor.api;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.Decisions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server. */
public final class HttpApi implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpApi.class);

  private final Vertx vertx;
  private final HttpServer server;
  private final Duration shutdown;

  private HttpApi(Vertx vertx, HttpServer server, Duration shutdown) {
    this.vertx = vertx;
    this.server = server;
    this.shutdown = shutdown;
  }

  /**
   * Starts to listen.
   *
   * @throws IllegalStateException when the address cannot be had
   */
  public static HttpApi start(
      MonitorConfig config,
      StatusBoard board,
      AnomalyStore store,
      Archive archive,
      Decisions decisions,
      MonitorMetrics metrics) {
    Vertx vertx = HttpPort.vertx();
    Router router = Router.router(vertx);
    router.route().handler(PageFiles::secure);
    MonitorConfig.Login login = config.http().login();
    if (login != null) {
      router.route().handler(new Login(login));
    }
    CauseView view = new CauseView(decisions, login != null);
    new DecisionRoutes(config.http(), store.causes(), archive, decisions).addTo(vertx, router);
    // Nothing else is changed over HTTP, so that routes tell paths and no methods.
    router.route().handler(HttpPort::requireReading);
    new PageFiles().addTo(router);
    new StatusRoutes(board, config.http().traceUrlTemplate()).addTo(router);
    new AnomalyRoutes(store, archive).addTo(router);
    new CauseRoutes(store.causes(), archive, view).addTo(router);
    new IncidentRoutes(store, archive, view).addTo(router);
    new TimelineRoute(store).addTo(router);
    router.route("/metrics").handler(c -> HttpPort.metrics(vertx, metrics::scrape, c));
    router.route().last().handler(HttpApi::notFound);
    router.errorHandler(
        500,
        c -> {
          log.error("{} failed", c.request().path(), c.failure());
          Replies.error(c, 500, "internal error; the monitor's log has it");
        });
    HttpServer server = HttpPort.listen(vertx, config.http(), router);
    warnIfOpen(config.http());
    return new HttpApi(vertx, server, Duration.ofMillis(config.shutdownMs()));
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Stops to listen, within {@code shutdown-ms}. */
  @Override
  public void close() {
    close(shutdown);
  }

  /** Stops to listen, and gives up waiting for that after {@code most}. */
  public void close(Duration most) {
    HttpPort.close(vertx, most);
  }

  private static void warnIfOpen(MonitorConfig.Http http) {
    if (http.login() == null && !isLoopback(http.host())) {
      log.warn(
          "http.host={} without http.user: everybody who reaches this port sees statements, keys"
              + " and sessions of every anomaly",
          http.host());
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static void notFound(RoutingContext context) {
    String path = context.request().path();
    if (path.startsWith("/api/")) {
      Replies.error(context, 404, "%s does not exist".formatted(path));
    } else {
      Replies.text(
          context,
          404,
          "text/html",
          "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>isotail: not found</title>"
              + "<link rel=\"stylesheet\" href=\"/assets/style.css\"><main class=\"notice\">"
              + "<h1>There is no such page</h1><p><a href=\"/\">To the overview</a></p></main></html>");
    }
  }
}
