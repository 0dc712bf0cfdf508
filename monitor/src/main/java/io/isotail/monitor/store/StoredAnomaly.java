package io.isotail.monitor.store;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;

/**
 * An anomaly that was published, and how often it was observed.
 *
 * @param document as it stands on the anomalies topic; not to be changed
 * @param id its id
 * @param history its history
 * @param level the weakest level that it violates
 * @param kind its name
 * @param occurrences how often it was observed, at least 1
 */
public record StoredAnomaly(
    ObjectNode document,
    String id,
    String history,
    IsolationLevel level,
    AnomalyKind kind,
    long occurrences) {

  /**
   * An anomaly that was observed once.
   *
   * @throws IllegalArgumentException if the document is not one of an anomaly
   */
  public static StoredAnomaly of(ObjectNode document) {
    String id = text(document, "id");
    String name = text(document, "anomaly");
    for (AnomalyKind kind : AnomalyKind.values()) {
      if (kind.label().equals(name)) {
        IsolationLevel level = IsolationLevel.ofLabel(text(document, "level"));
        return new StoredAnomaly(document, id, text(document, "history"), level, kind, 1);
      }
    }
    throw new IllegalArgumentException("anomaly '%s' is unknown".formatted(name));
  }

  /** The document with the number of occurrences; the fields are the caller's to add and remove. */
  public ObjectNode json() {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    copy.setAll(document);
    return copy.put("occurrences", occurrences);
  }

  /** One sentence that says what happened. */
  public String explanation() {
    return text(document, "explanation");
  }

  /** The same, observed so often. */
  StoredAnomaly observed(long times) {
    return new StoredAnomaly(document, id, history, level, kind, times);
  }

  private static String text(ObjectNode document, String field) {
    if (!document.path(field).isTextual()) {
      throw new IllegalArgumentException("field '%s' is missing".formatted(field));
    }
    return document.path(field).asText();
  }
}
