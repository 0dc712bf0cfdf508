package io.isotail.monitor.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.cause.IncidentLedger;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** What was published of a cause or an incident last. */
public interface StoredDocument {
  /** Its id. */
  String id();

  /** Its history. */
  String history();

  /** All of it, as JSON; to be looked at only. */
  ObjectNode document();

  /** Size of the document, in bytes. */
  int size();

  /** The text of a field; empty if it has none. */
  default String text(String field) {
    return document().path(field).asText("");
  }

  /** Its slot, 0 for none. */
  default int slot() {
    return slot(document());
  }

  /** The slot in a document that anybody may have written, 0 for none. */
  static int slot(JsonNode document) {
    int slot = document.path("slot").asInt(0);
    return slot < 0 || slot > IncidentLedger.SLOTS ? 0 : slot;
  }

  /** When it struck last by the time of the log, in ms since 1970; 0 if that is not told. */
  default long lastSeenMs() {
    return timeMs("lastSeen");
  }

  /** The time in a field, in ms since 1970; 0 if it has none. */
  default long timeMs(String field) {
    try {
      return Instant.parse(text(field)).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      return 0;
    }
  }

  /**
   * Reads a document.
   *
   * @param bytes JSON in UTF-8
   * @throws IllegalArgumentException if it is no JSON object; the message says why
   */
  static ObjectNode read(byte[] bytes) {
    JsonNode json;
    try {
      json = Mapper.JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
    if (!(json instanceof ObjectNode document)) {
      throw new IllegalArgumentException("no JSON object");
    }
    return document;
  }

  /** The text of a field that must be there. */
  static String required(ObjectNode document, String field) {
    JsonNode value = document.path(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("field '%s' is missing".formatted(field));
    }
    return value.asText();
  }

  /** Holds what reads JSON. */
  final class Mapper {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Mapper() {}
  }
}
