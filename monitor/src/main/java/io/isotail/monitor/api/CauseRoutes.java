package io.isotail.monitor.api;

import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.CauseStore;
import io.isotail.monitor.store.StoredCause;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What anomalies have in common, listed and one by one. */
final class CauseRoutes {
  /** Causes in one answer, unless more are asked for. */
  private static final int MAX_LISTED = 20;

  private final CauseStore store;

  private final Archive archive;
  private final CauseView view;

  CauseRoutes(CauseStore store, Archive archive, CauseView view) {
    this.store = store;
    this.archive = archive;
    this.view = view;
  }

  void addTo(Router router) {
    router.route("/api/causes").handler(this::list);
    router.route("/api/causes/:id").handler(this::one);
  }

  private void list(RoutingContext context) {
    @Nullable String history = AnomalyFilter.parameter(context, "history");
    @Nullable String table = AnomalyFilter.parameter(context, "table");
    @Nullable String service = AnomalyFilter.parameter(context, "service");
    @Nullable String id = AnomalyFilter.parameter(context, "cause");
    @Nullable String text = AnomalyFilter.parameter(context, "statement");
    List<StoredCause> matching =
        store.list(history).stream()
            .filter(cause -> cause.has("tables", table) && cause.has("services", service))
            .filter(cause -> id == null || cause.id().equals(id))
            .filter(cause -> text == null || cause.mentions(text))
            .toList();
    Replies.list(context, "causes", matching, MAX_LISTED, view::of);
  }

  private void one(RoutingContext context) {
    Archived.find(
        context,
        "cause",
        store.find(context.pathParam("id")),
        archive::cause,
        cause -> Replies.json(context, 200, view.of(cause)));
  }
}
