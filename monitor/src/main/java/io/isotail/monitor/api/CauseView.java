package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.store.Decisions;
import io.isotail.monitor.store.StoredCause;

/**
 * A cause as the API shows it: as it was published, with what was decided about it.
 *
 * @param decisions what was decided
 * @param decidable whether who looks may decide
 */
record CauseView(Decisions decisions, boolean decidable) {
  /** Adds {@code decision}, null if there is none, and {@code decidable}. */
  ObjectNode of(StoredCause cause) {
    ObjectNode shown = cause.document().objectNode();
    shown.setAll(cause.document());
    shown.remove("fresh");
    decisions
        .of(cause.id())
        .ifPresentOrElse(
            decision -> shown.set("decision", decision.json()), () -> shown.putNull("decision"));
    return shown.put("decidable", decidable);
  }
}
