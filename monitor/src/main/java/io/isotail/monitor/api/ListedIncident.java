package io.isotail.monitor.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.store.CauseStore;
import io.isotail.monitor.store.StoredCause;
import io.isotail.monitor.store.StoredIncident;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * An incident as a line of the list.
 *
 * @param incident as it was published last
 * @param goesOn whether it struck lately and is not over
 * @param harm violations a minute, times the rows that are hurt
 * @param severity the weakest level that its causes violate, as far as they are known; null if none
 *     is
 */
record ListedIncident(
    StoredIncident incident, boolean goesOn, double harm, @Nullable IsolationLevel severity) {
  /** One that struck within this time goes on. */
  private static final long GOES_ON_MS = TimeUnit.MINUTES.toMillis(2);

  /**
   * Those that go on first, then by harm, then the weaker level. Harm is compared in powers of two,
   * so that a little more of it moves no line.
   */
  static final Comparator<ListedIncident> WORST_FIRST =
      Comparator.comparing(ListedIncident::goesOn)
          .thenComparing(listed -> Math.getExponent(listed.harm()))
          .reversed()
          .thenComparing(ListedIncident::severity, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(listed -> listed.incident().id());

  /**
   * How an incident is listed.
   *
   * @param causes those that are known
   * @param nowMs wall time in ms since 1970
   */
  static ListedIncident of(StoredIncident incident, CauseStore causes, long nowMs) {
    JsonNode document = incident.document();
    long lastMs = incident.lastSeenMs();
    double minutes = Math.max(1, (lastMs - incident.timeMs("firstSeen")) / 60_000.0);
    double rows = Math.max(1, document.at("/radius/rows").asDouble());
    return new ListedIncident(
        incident,
        document.path("ended").isNull() && nowMs - lastMs < GOES_ON_MS,
        document.path("violations").asDouble() / minutes * rows,
        StreamSupport.stream(document.path("causes").spliterator(), false)
            .map(id -> causes.find(id.asText()))
            .flatMap(Optional::stream)
            .map(StoredCause::level)
            .min(Comparator.naturalOrder())
            .orElse(null));
  }

  /** What a line tells of it; the whole of it is asked for by its id. */
  ObjectNode json() {
    JsonNode document = incident.document();
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    for (String field : new String[] {"incident", "history", "title", "root", "promised"}) {
      line.set(field, document.path(field));
    }
    line.put("goesOn", goesOn);
    line.put("harm", harm);
    line.put("severity", severity == null ? null : severity.label());
    for (String field :
        new String[] {"violations", "kinds", "causeCount", "firstSeen", "lastSeen"}) {
      line.set(field, document.path(field));
    }
    line.set("hurt", document.at("/radius/words"));
    ArrayNode endpoints = line.putArray("endpoints");
    document.path("culprits").forEach(culprit -> endpoints.add(culprit.path("name")));
    line.set("wave", document.at("/wave/number"));
    line.set("ended", document.path("ended"));
    return line;
  }
}
