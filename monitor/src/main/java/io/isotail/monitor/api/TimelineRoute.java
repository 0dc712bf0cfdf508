package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.AnomalyTimeline;
import io.isotail.monitor.store.StoredAnomaly;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.util.List;

/** How many of the kept anomalies there were when, by level and kind. */
final class TimelineRoute {
  private static final long MS_PER_SECOND = 1_000;

  private final AnomalyStore store;

  TimelineRoute(AnomalyStore store) {
    this.store = store;
  }

  void addTo(Router router) {
    router.route("/api/timeline").handler(this::timeline);
  }

  private void timeline(RoutingContext context) {
    List<StoredAnomaly> anomalies;
    AnomalyTimeline timeline;
    try {
      String span = AnomalyFilter.parameter(context, "span");
      anomalies = store.matching(AnomalyFilter.ofNames(context));
      timeline =
          AnomalyTimeline.of(
              anomalies,
              span == null ? null : AnomalyTimeline.Span.ofLabel(span),
              System.currentTimeMillis());
    } catch (IllegalArgumentException e) {
      Replies.error(context, 400, String.valueOf(e.getMessage()));
      return;
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("span", timeline.span().label());
    body.put("from", Instant.ofEpochMilli(timeline.fromMs()).toString());
    long toMs = timeline.fromMs() + timeline.buckets() * timeline.stepMs();
    body.put("to", Instant.ofEpochMilli(toMs).toString());
    body.put("stepSeconds", timeline.stepMs() / MS_PER_SECOND);
    body.put("matching", anomalies.size());
    body.put("earlier", timeline.earlier());
    body.put("later", timeline.later());
    body.put("untimed", timeline.untimed());
    ArrayNode lanes = body.putArray("lanes");
    for (AnomalyTimeline.Lane lane : timeline.lanes()) {
      ObjectNode node = lanes.addObject();
      node.put("history", lane.history());
      node.put("level", lane.level().label());
      node.put("kind", lane.kind().label());
      ArrayNode counts = node.putArray("counts");
      lane.counts().forEach(counts::add);
    }
    Replies.json(context, 200, body);
  }
}
