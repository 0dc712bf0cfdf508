package io.isotail.monitor.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.render.Svg;
import io.isotail.monitor.render.WitnessReader;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.StoredAnomaly;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The anomalies, listed and one by one. */
final class AnomalyRoutes {
  /** Most anomalies in one answer. */
  static final int MAX_LIMIT = 1_000;

  private static final int WIDEST_PX = 100_000;

  /** What is narrower has no room for a box. */
  private static final int NARROWEST_PX = 200;

  private static final int DEFAULT_LIMIT = 100;

  /** What the list does not tell. */
  private static final List<String> DETAILS =
      List.of("cycle", "capsule", "evidence", "proof", "transactions", "dot");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final AnomalyStore store;

  private final Archive archive;

  AnomalyRoutes(AnomalyStore store, Archive archive) {
    this.store = store;
    this.archive = archive;
  }

  void addTo(Router router) {
    router.route("/api/anomalies").handler(this::list);
    router.route("/api/anomalies/:id").handler(c -> find(c, a -> full(c, a)));
    router.route("/api/anomalies/:id/dot").handler(c -> find(c, a -> dot(c, a)));
    router.route("/api/anomalies/:id/svg").handler(c -> find(c, a -> svg(c, a, Svg::of)));
    router.route("/api/anomalies/:id/cycle.svg").handler(this::cycle);
    router.route("/api/anomalies/:id/capsule.jsonl").handler(c -> find(c, a -> capsule(c, a)));
  }

  private void list(RoutingContext context) {
    AnomalyStore.Page page;
    try {
      page =
          store.page(
              AnomalyFilter.of(context),
              AnomalyFilter.parameter(context, "before"),
              AnomalyFilter.parameter(context, "after"),
              limit(AnomalyFilter.parameter(context, "limit"), DEFAULT_LIMIT));
    } catch (IllegalArgumentException e) {
      Replies.error(context, 400, String.valueOf(e.getMessage()));
      return;
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("seen", store.seen());
    body.put("retained", store.size());
    body.put("capacity", store.capacity());
    body.put("matching", page.matching());
    body.put("newer", page.newer());
    ArrayNode anomalies = body.putArray("anomalies");
    for (StoredAnomaly stored : page.anomalies()) {
      anomalies.add(withTime(stored, stored.json(DETAILS)));
    }
    Replies.json(context, 200, body);
  }

  private void full(RoutingContext context, StoredAnomaly stored) {
    ObjectNode body = withTime(stored, stored.json(List.of("dot")));
    Replies.json(context, 200, body);
  }

  private static ObjectNode withTime(StoredAnomaly stored, ObjectNode body) {
    long atMs = stored.atMs();
    return body.put(
        "at", atMs == StoredAnomaly.NO_TIME_MS ? null : Instant.ofEpochMilli(atMs).toString());
  }

  private static void dot(RoutingContext context, StoredAnomaly stored) {
    if (isDrawable(context, stored)) {
      Replies.text(context, 200, "text/vnd.graphviz", stored.dot());
    }
  }

  private void cycle(RoutingContext context) {
    int width;
    try {
      width =
          number(
              "width",
              AnomalyFilter.parameter(context, "width"),
              WIDEST_PX,
              NARROWEST_PX,
              WIDEST_PX);
    } catch (IllegalArgumentException e) {
      Replies.error(context, 400, String.valueOf(e.getMessage()));
      return;
    }
    find(context, a -> svg(context, a, anomaly -> Svg.cycle(anomaly, width)));
  }

  private static void svg(
      RoutingContext context, StoredAnomaly stored, Function<Anomaly, String> drawn) {
    if (!isDrawable(context, stored)) {
      return;
    }
    Anomaly anomaly;
    try {
      anomaly =
          WitnessReader.read(MAPPER.readTree(stored.json(List.of("dot")).toString())).anomaly();
    } catch (JsonProcessingException | IllegalArgumentException e) {
      // Whoever has written it, the others are drawn.
      String why = "anomaly %s cannot be drawn: %s".formatted(stored.id(), e.getMessage());
      Replies.error(context, 404, why);
      return;
    }
    Replies.text(context, 200, "image/svg+xml", drawn.apply(anomaly));
  }

  private static boolean isDrawable(RoutingContext context, StoredAnomaly stored) {
    if (stored.dot().isEmpty()) {
      Replies.error(context, 404, "anomaly %s is too large for a drawing".formatted(stored.id()));
      return false;
    }
    return true;
  }

  private void capsule(RoutingContext context, StoredAnomaly stored) {
    StringBuilder lines = new StringBuilder();
    for (String transaction : stored.capsule()) {
      // Its writer may have broken it up; no string of JSON holds the end of a line.
      lines.append(transaction.replaceAll("[\r\n]", " ")).append('\n');
    }
    String file = stored.id().replaceAll("[^A-Za-z0-9._-]", "_") + ".jsonl";
    context.response().putHeader("Content-Disposition", "attachment; filename=" + file);
    Replies.text(context, 200, "application/x-ndjson", lines.toString());
  }

  private void find(RoutingContext context, Consumer<StoredAnomaly> then) {
    Archived.find(context, "anomaly", store.find(context.pathParam("id")), archive::anomaly, then);
  }

  /** How many are asked for. */
  static int limit(@Nullable String value, int otherwise) {
    return number("limit", value, otherwise, 1, MAX_LIMIT);
  }

  private static int number(
      String name, @Nullable String value, int otherwise, int least, int most) {
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, as a number out of range is.
    }
    throw new IllegalArgumentException(
        "%s=%s; expected a whole number from %d to %d".formatted(name, value, least, most));
  }
}
