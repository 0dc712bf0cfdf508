package io.isotail.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.isotail.monitor.store.StoredDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * How many violations a cause has brought about: what is told of it between two records of the
 * whole.
 *
 * @param cause its id
 * @param history its history
 * @param slot its slot, 0 for none
 * @param violations all of them
 * @param fresh those that no record has told before
 */
record CauseCount(String cause, String history, int slot, long violations, long fresh) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static CauseCount of(PublishedCause published) {
    return new CauseCount(
        published.cause().id(),
        published.cause().history(),
        published.cause().slot(),
        published.cause().violations(),
        published.fresh());
  }

  /**
   * Reads a document.
   *
   * @param bytes JSON in UTF-8
   * @throws IllegalArgumentException if it is none of a count; the message says why
   */
  static CauseCount of(byte[] bytes) {
    JsonNode json;
    try {
      json = JSON.readTree(bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
    for (String field : new String[] {"cause", "history"}) {
      if (!json.path(field).isTextual()) {
        throw new IllegalArgumentException("field '%s' is missing".formatted(field));
      }
    }
    return new CauseCount(
        json.path("cause").asText(),
        json.path("history").asText(),
        StoredDocument.slot(json),
        json.path("violations").asLong(0),
        Math.max(0, json.path("fresh").asLong(0)));
  }

  /** JSON in UTF-8. */
  byte[] document() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("cause", cause)
        .put("history", history)
        .put("slot", slot)
        .put("violations", violations)
        .put("fresh", fresh)
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }
}
