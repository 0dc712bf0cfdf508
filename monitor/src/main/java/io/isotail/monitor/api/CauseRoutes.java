package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.store.CauseStore;
import io.isotail.monitor.store.StoredCause;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What anomalies have in common, listed and one by one. */
final class CauseRoutes {
  /** Causes in one answer, unless more are asked for. */
  private static final int MAX_LISTED = 20;

  private final CauseStore store;

  CauseRoutes(CauseStore store) {
    this.store = store;
  }

  void addTo(Router router) {
    router.route("/api/causes").handler(this::list);
    router.route("/api/causes/:id").handler(this::one);
  }

  private void list(RoutingContext context) {
    @Nullable String history = AnomalyFilter.parameter(context, "history");
    @Nullable String table = AnomalyFilter.parameter(context, "table");
    @Nullable String service = AnomalyFilter.parameter(context, "service");
    @Nullable String text = AnomalyFilter.parameter(context, "statement");
    int limit;
    try {
      limit = AnomalyRoutes.limit(AnomalyFilter.parameter(context, "limit"), MAX_LISTED);
    } catch (IllegalArgumentException e) {
      Replies.error(context, 400, String.valueOf(e.getMessage()));
      return;
    }
    List<StoredCause> matching =
        store.list(history).stream()
            .filter(cause -> cause.has("tables", table) && cause.has("services", service))
            .filter(cause -> text == null || cause.mentions(text))
            .toList();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("matching", matching.size());
    ArrayNode causes = body.putArray("causes");
    matching.stream().limit(limit).forEach(cause -> causes.add(cause.document()));
    Replies.json(context, 200, body);
  }

  private void one(RoutingContext context) {
    String id = context.pathParam("id");
    Optional<StoredCause> found = store.find(id);
    if (found.isPresent()) {
      Replies.json(context, 200, found.get().document());
    } else {
      Replies.error(
          context,
          404,
          "cause %s is not known here: it is not among the latest %d of a history"
              .formatted(id, CauseStore.MAX_OF_HISTORY));
    }
  }
}
