package io.isotail.monitor.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A cause as it was published last. Immutable.
 *
 * @param id its id
 * @param history its history
 * @param level the weakest level that its anomalies violate
 * @param kind the name of its anomalies
 * @param violations left-out things so far; it only grows
 * @param document all of it, as JSON; to be looked at only
 * @param size of the document, in bytes
 */
public record StoredCause(
    String id,
    String history,
    IsolationLevel level,
    AnomalyKind kind,
    long violations,
    ObjectNode document,
    int size)
    implements StoredDocument {

  /**
   * Reads a document.
   *
   * @param bytes JSON in UTF-8
   * @throws StoredAnomaly.UnknownNameException if the level or the anomaly is not known here
   * @throws IllegalArgumentException if it is not one of a cause; the message says why
   */
  public static StoredCause of(byte[] bytes) {
    ObjectNode document = StoredDocument.read(bytes);
    return new StoredCause(
        StoredDocument.required(document, "cause"),
        StoredDocument.required(document, "history"),
        StoredAnomaly.known(
            "level",
            StoredDocument.required(document, "level"),
            IsolationLevel.values(),
            IsolationLevel::label),
        StoredAnomaly.known(
            "anomaly",
            StoredDocument.required(document, "anomaly"),
            AnomalyKind.values(),
            AnomalyKind::label),
        document.path("violations").asLong(),
        document,
        bytes.length);
  }

  /**
   * The id in a document that may be of no other use; null if it has none.
   *
   * @param document any bytes
   */
  public static @Nullable String idOf(byte[] document) {
    return JsonFields.firstText(document, "cause");
  }

  /** Whether a list of names has this one; any list does if it is null. */
  public boolean has(String list, @Nullable String name) {
    if (name == null) {
      return true;
    }
    for (JsonNode each : document.path(list)) {
      if (each.asText().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of its statements holds this text, in capital or small letters. */
  public boolean mentions(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    for (JsonNode each : document.path("statements")) {
      if (each.path("statement").asText().toLowerCase(Locale.ROOT).contains(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** How many of its violations no record before this one has told. */
  public long fresh() {
    return Math.max(0, document.path("fresh").asLong(0));
  }

  /** The texts of a list, one after the other. */
  public String joined(String list) {
    StringJoiner all = new StringJoiner(", ");
    document.path(list).forEach(each -> all.add(each.asText()));
    return all.toString();
  }
}
