package io.isotail.monitor.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * An incident as it was published last. Immutable.
 *
 * @param id its id
 * @param history its history
 * @param document all of it, as JSON; to be looked at only
 * @param size of the document, in bytes
 */
public record StoredIncident(String id, String history, ObjectNode document, int size)
    implements StoredDocument {

  /**
   * Reads a document.
   *
   * @param bytes JSON in UTF-8
   * @throws IllegalArgumentException if it is not one of an incident; the message says why
   */
  public static StoredIncident of(byte[] bytes) {
    ObjectNode document = StoredDocument.read(bytes);
    return new StoredIncident(
        StoredDocument.required(document, "incident"),
        StoredDocument.required(document, "history"),
        document,
        bytes.length);
  }

  /**
   * The id in a document that may be of no other use; null if it has none.
   *
   * @param document any bytes
   */
  public static @Nullable String idOf(byte[] document) {
    return JsonFields.firstText(document, "incident");
  }
}
