package io.isotail.monitor.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** An anomaly that was published, and how often it was observed. Immutable. */
public final class StoredAnomaly {
  /** As a time: it is not known. */
  public static final long NO_TIME_MS = Long.MIN_VALUE;

  /** Begin of the year 10,000: what no clock tells. */
  private static final long LAST_MS = 253_402_300_800_000L;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** As it stands on the anomalies topic: a tree of it would take several times as much. */
  private final byte[] document;

  private final String id;
  private final String history;
  private final IsolationLevel level;
  private final AnomalyKind kind;
  private final long atMs;
  private final long occurrences;

  private StoredAnomaly(
      byte[] document,
      String id,
      String history,
      IsolationLevel level,
      AnomalyKind kind,
      long atMs,
      long occurrences) {
    this.document = document;
    this.id = id;
    this.history = history;
    this.level = level;
    this.kind = kind;
    this.atMs = atMs;
    this.occurrences = occurrences;
  }

  /**
   * An anomaly that was observed once.
   *
   * @param document JSON in UTF-8; belongs to this
   * @throws IllegalArgumentException if the document is not one of an anomaly
   */
  public static StoredAnomaly of(byte[] document) {
    JsonNode json;
    try {
      json = JSON.readTree(document);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
    String id = text(json, "id");
    String name = text(json, "anomaly");
    for (AnomalyKind kind : AnomalyKind.values()) {
      if (kind.label().equals(name)) {
        IsolationLevel level = IsolationLevel.ofLabel(text(json, "level"));
        return new StoredAnomaly(document, id, text(json, "history"), level, kind, time(json), 1);
      }
    }
    throw new IllegalArgumentException("anomaly '%s' is unknown".formatted(name));
  }

  /** Its id. */
  public String id() {
    return id;
  }

  /** Its history. */
  public String history() {
    return history;
  }

  /** The weakest level that it violates. */
  public IsolationLevel level() {
    return level;
  }

  /** Its name. */
  public AnomalyKind kind() {
    return kind;
  }

  /**
   * When the record that completed it was appended to the log, in ms since 1970; where the log has
   * no times, when its last transaction ended by the client's clock; else {@link #NO_TIME_MS}.
   */
  public long atMs() {
    return atMs;
  }

  /** How often it was observed, at least 1. */
  public long occurrences() {
    return occurrences;
  }

  /** Bytes that it takes. */
  int size() {
    return document.length;
  }

  /** The document, with the number of occurrences; the caller's own. */
  public ObjectNode json() {
    try {
      ObjectNode json = (ObjectNode) JSON.readTree(document);
      return json.put("occurrences", occurrences);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it was read before
    }
  }

  /** What happened, in sentences. */
  public String explanation() {
    return json().path("explanation").asText();
  }

  /** This anomaly, observed so often. */
  StoredAnomaly observed(long times) {
    return new StoredAnomaly(document, id, history, level, kind, atMs, times);
  }

  private static long time(JsonNode json) {
    for (String field : List.of("foundAt", "committedAt")) {
      try {
        long ms = Instant.parse(json.path(field).asText()).toEpochMilli();
        if (ms >= 0 && ms < LAST_MS) {
          return ms;
        }
      } catch (DateTimeParseException | ArithmeticException e) {
        // Missing or senseless, whoever wrote it: the anomaly counts without its time.
      }
    }
    return NO_TIME_MS;
  }

  private static String text(JsonNode json, String field) {
    if (!json.path(field).isTextual()) {
      throw new IllegalArgumentException("field '%s' is missing".formatted(field));
    }
    return json.path(field).asText();
  }
}
