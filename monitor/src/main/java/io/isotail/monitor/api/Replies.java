package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Function;

/** The forms of an answer. */
final class Replies {
  private static final String JSON = "application/json; charset=utf-8";

  private Replies() {}

  static void json(RoutingContext context, int status, JsonNode body) {
    whole(context, status, JSON, body.toString());
  }

  static void text(RoutingContext context, int status, String type, String body) {
    whole(context, status, type + "; charset=utf-8", body);
  }

  private static void whole(RoutingContext context, int status, String type, String body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", type)
        .putHeader("Cache-Control", "no-store");
    end(context, Buffer.buffer(body));
  }

  /** Ends an answer with this body; to HEAD only its length is told. */
  static void end(RoutingContext context, Buffer body) {
    HttpServerResponse response = context.response();
    if (!context.request().method().equals(HttpMethod.HEAD)) {
      response.end(body);
      return;
    }
    // To a client that takes compressed bodies, GET may tell another length.
    if (context.request().getHeader(HttpHeaders.ACCEPT_ENCODING) == null) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    }
    response.end();
  }

  /**
   * The first ones of a list, as many as {@code limit} asks for, and how many there are.
   *
   * @param name of the field
   * @param most unless more are asked for
   */
  static <T> void list(
      RoutingContext context, String name, List<T> matching, int most, Function<T, JsonNode> json) {
    int limit;
    try {
      limit = AnomalyRoutes.limit(AnomalyFilter.parameter(context, "limit"), most);
    } catch (IllegalArgumentException e) {
      error(context, 400, String.valueOf(e.getMessage()));
      return;
    }
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("matching", matching.size());
    ArrayNode listed = body.putArray(name);
    matching.stream().limit(limit).map(json).forEach(listed::add);
    json(context, 200, body);
  }

  /** An error: what was asked for, and what is expected. */
  static void error(RoutingContext context, int status, String message) {
    json(context, status, JsonNodeFactory.instance.objectNode().put("error", message));
  }
}
