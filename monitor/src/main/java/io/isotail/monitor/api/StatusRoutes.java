package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.isotail.monitor.render.StatusJson;
import io.isotail.monitor.status.Fleet;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.Peer;
import io.isotail.monitor.status.StatusBoard;
import io.vertx.ext.web.Router;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Health, readiness, and where every history stands. */
final class StatusRoutes {
  private final StatusBoard board;
  private final @Nullable String traceUrlTemplate;

  /**
   * @param traceUrlTemplate where a trace is found, null where nobody told
   */
  StatusRoutes(StatusBoard board, @Nullable String traceUrlTemplate) {
    this.board = board;
    this.traceUrlTemplate = traceUrlTemplate;
  }

  void addTo(Router router) {
    router
        .route("/healthz")
        .handler(
            c -> {
              boolean alive = board.current().phase() != MonitorStatus.Phase.STOPPED;
              Replies.text(c, alive ? 200 : 503, "text/plain", alive ? "ok\n" : "stopped\n");
            });
    router
        .route("/readyz")
        .handler(c -> Replies.json(c, board.current().ready() ? 200 : 503, readiness()));
    router.route("/api/status").handler(c -> Replies.json(c, 200, status()));
  }

  private ObjectNode readiness() {
    MonitorStatus status = board.current();
    ObjectNode node = StatusJson.head(status);
    ArrayNode quarantined = node.putArray("quarantined");
    for (HistoryStatus history : status.histories().values()) {
      if (history.failure() != null) {
        quarantined.add(history.history());
      }
    }
    return node;
  }

  private ObjectNode status() {
    MonitorStatus status = board.current();
    ObjectNode node = StatusJson.head(status);
    node.put("badRecords", status.badRecords());
    node.put("kafkaErrors", status.kafkaErrors());
    node.put("busySeconds", status.busySeconds());
    node.put("unpublishedAnomalies", status.unpublished());
    node.put("traceUrlTemplate", traceUrlTemplate);
    Fleet fleet = status.fleet();
    instances(status, node.putArray("instances"));
    node.put("instancesProblem", fleet.problem());
    SortedMap<String, JsonNode> histories = new TreeMap<>();
    for (Peer peer : fleet.peers()) {
      // The instance that has reported last comes first, and this one knows best of its own.
      peer.histories().forEach((id, json) -> histories.putIfAbsent(id, raw(json)));
    }
    status
        .histories()
        .forEach(
            (id, h) ->
                histories.put(id, StatusJson.history(h).put(StatusJson.INSTANCE, fleet.self())));
    node.putArray("histories").addAll(histories.values());
    return node;
  }

  private static void instances(MonitorStatus status, ArrayNode instances) {
    instances
        .addObject()
        .put(StatusJson.INSTANCE, status.fleet().self())
        .put("self", true)
        .put("ageSeconds", 0.0)
        .put("notShown", 0)
        .setAll(StatusJson.head(status));
    long nowNs = System.nanoTime();
    status.fleet().peers().stream()
        .sorted(Comparator.comparing(Peer::instance))
        .forEach(
            peer ->
                instances
                    .addObject()
                    .put(StatusJson.INSTANCE, peer.instance())
                    .put("self", false)
                    .put("ageSeconds", (nowNs - peer.heardNs()) / 1e9)
                    .put("notShown", peer.notShown())
                    .setAll(StatusJson.head(peer)));
  }

  private static JsonNode raw(String json) {
    return JsonNodeFactory.instance.rawValueNode(new RawValue(json));
  }
}
