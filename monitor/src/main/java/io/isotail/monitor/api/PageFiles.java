package io.isotail.monitor.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The page's files, from the jar. A fixed list read once: no path of a request is ever looked up in
 * a file system.
 */
final class PageFiles {
  private static final String OWN = "/io/isotail/monitor/page/";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final List<String> MODULES =
      List.of(
          "anomaly-list.js",
          "answers.js",
          "app.js",
          "capture-words.js",
          "capture.js",
          "card.js",
          "cause.js",
          "causes.js",
          "chart.js",
          "conflicts.js",
          "copy.js",
          "decision.js",
          "dom.js",
          "filters.js",
          "fleet.js",
          "graph.js",
          "health.js",
          "incident.js",
          "incidents.js",
          "lanes.js",
          "overview.js",
          "reproduce.js",
          "timeline.js",
          "trace.js",
          "witness.js",
          "words.js");

  /** Nothing from elsewhere, nothing inline. */
  private static final String SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
          + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  void addTo(Router router) {
    Asset page = read(OWN + "index.html", "text/html; charset=utf-8");
    router.route("/").handler(page::send);
    router.route("/anomalies/:id").handler(page::send);
    router.route("/causes/:id").handler(page::send);
    router.route("/incidents/:id").handler(page::send);
    for (String module : MODULES) {
      asset(router, "/assets/" + module, OWN + module, SCRIPT);
    }
    asset(router, "/assets/style.css", OWN + "style.css", "text/css; charset=utf-8");
    asset(router, "/assets/icon.svg", OWN + "icon.svg", "image/svg+xml");
  }

  private static void asset(Router router, String path, String resource, String type) {
    router.route(path).handler(read(resource, type)::send);
  }

  /** Adds the headers that every answer has. */
  static void secure(RoutingContext context) {
    context
        .response()
        .putHeader("Content-Security-Policy", SECURITY_POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer");
    context.next();
  }

  private static Asset read(String resource, String type) {
    try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource %s is not in the jar".formatted(resource));
      }
      byte[] bytes = in.readAllBytes();
      CRC32 sum = new CRC32();
      sum.update(bytes);
      return new Asset(
          Buffer.buffer(bytes), type, "\"%x-%x\"".formatted(bytes.length, sum.getValue()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Asset(Buffer body, String type, String tag) {
    void send(RoutingContext context) {
      var response =
          context.response().putHeader("ETag", tag).putHeader("Cache-Control", "no-cache");
      if (tag.equals(context.request().getHeader("If-None-Match"))) {
        response.setStatusCode(304).end();
      } else {
        response.putHeader("Content-Type", type);
        Replies.end(context, body);
      }
    }
  }
}
