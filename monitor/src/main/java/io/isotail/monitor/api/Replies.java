package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.vertx.ext.web.RoutingContext;

/** The forms of an answer. */
final class Replies {
  private static final String JSON = "application/json; charset=utf-8";

  private Replies() {}

  static void json(RoutingContext context, int status, JsonNode body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", JSON)
        .putHeader("Cache-Control", "no-store")
        .end(body.toString());
  }

  static void text(RoutingContext context, int status, String type, String body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", type + "; charset=utf-8")
        .putHeader("Cache-Control", "no-store")
        .end(body);
  }

  /** An error: what was asked for, and what is expected. */
  static void error(RoutingContext context, int status, String message) {
    json(context, status, JsonNodeFactory.instance.objectNode().put("error", message));
  }
}
