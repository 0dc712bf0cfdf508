package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.StoredIncident;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What causes have in common: a list, the worst first, and one by one. */
final class IncidentRoutes {
  /** Incidents in one answer, unless more are asked for. */
  private static final int MAX_LISTED = 20;

  private static final String[] OF_CAUSE = {
    "cause", "title", "anomaly", "level", "firstSeen", "lastSeen", "occurrences", "violations"
  };

  private final AnomalyStore store;
  private final Archive archive;
  private final CauseView view;

  IncidentRoutes(AnomalyStore store, Archive archive, CauseView view) {
    this.store = store;
    this.archive = archive;
    this.view = view;
  }

  void addTo(Router router) {
    router.route("/api/incidents").handler(this::list);
    router.route("/api/incidents/:id").handler(this::one);
  }

  private void list(RoutingContext context) {
    @Nullable String history = AnomalyFilter.parameter(context, "history");
    long nowMs = System.currentTimeMillis();
    List<ListedIncident> matching =
        store.incidents().list(history).stream()
            .map(incident -> ListedIncident.of(incident, store.causes(), nowMs))
            .sorted(ListedIncident.WORST_FIRST)
            .toList();
    Replies.list(context, "incidents", matching, MAX_LISTED, ListedIncident::json);
  }

  private void one(RoutingContext context) {
    Archived.find(
        context,
        "incident",
        store.incidents().find(context.pathParam("id")),
        archive::incident,
        incident -> Replies.json(context, 200, shown(incident)));
  }

  /** As it was published, with what is known of each of its causes in place of its id. */
  private ObjectNode shown(StoredIncident incident) {
    ObjectNode shown = incident.document().objectNode();
    shown.setAll(incident.document());
    ArrayNode causes = shown.putArray("causes");
    for (JsonNode id : incident.document().path("causes")) {
      ObjectNode cause = causes.addObject().put("cause", id.asText());
      store
          .causes()
          .find(id.asText())
          .ifPresent(
              known -> {
                for (String field : OF_CAUSE) {
                  cause.set(field, known.document().path(field));
                }
                cause.set("decision", view.of(known).path("decision"));
              });
    }
    return shown;
  }
}
