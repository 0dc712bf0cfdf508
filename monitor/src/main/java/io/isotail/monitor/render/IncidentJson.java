package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Culprit;
import io.isotail.incremental.cause.Difference;
import io.isotail.incremental.cause.IncidentReport;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An incident as JSON: the one form in which the anomalies topic and the API write it. Fields
 * without a value are {@code null}, never missing.
 */
public final class IncidentJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private IncidentJson() {}

  /**
   * The whole incident.
   *
   * @param lead the cause whose advice and proof stand for it; null if none is known
   */
  public static ObjectNode of(IncidentReport incident, @Nullable CauseReport lead) {
    ObjectNode node =
        JSON.objectNode()
            .put("incident", incident.id())
            .put("history", incident.history())
            .put("slot", incident.slot())
            .put("root", incident.root().kind().label())
            .put("promised", incident.root().promised().label())
            .put("ranAt", incident.root().ranAt())
            .put("others", incident.root().others())
            .put("server", incident.root().server())
            .put("title", IncidentText.title(incident))
            .put("firstSeen", CauseJson.time(incident.first()))
            .put("lastSeen", CauseJson.time(incident.last()))
            .put("violations", incident.violations());
    ArrayNode culprits = node.putArray("culprits");
    for (Culprit culprit : incident.culprits()) {
      culprits
          .addObject()
          .put("service", culprit.service())
          .put("endpoint", culprit.endpoint())
          .put("table", culprit.table())
          .put("name", culprit.name());
    }
    ObjectNode kinds = node.putObject("kinds");
    incident.kinds().forEach((kind, count) -> kinds.put(kind.label(), count));
    node.putObject("roughly")
        .put("radius", IncidentText.radius(incident, true))
        .put("counts", IncidentText.roughCounts(incident));
    CauseJson.texts(node, "causes", incident.causes());
    node.put("causeCount", incident.causeCount());
    radius(node, incident);
    node.putObject("wave")
        .put("number", incident.wave().number())
        .put("reason", incident.wave().reason())
        .put("since", CauseJson.time(incident.wave().since()));
    IncidentReport.End end = incident.end();
    if (end == null) {
      node.putNull("ended");
    } else {
      node.putObject("ended").put("reason", end.reason()).put("at", CauseJson.time(end.at()));
    }
    CauseJson.texts(node, "mergedWith", incident.mergedWith());
    differences(node, incident);
    CauseJson.timeline(node, incident.timeline());
    node.put("lead", lead == null ? null : lead.id());
    node.put("witness", lead == null ? null : lead.simplest());
    if (lead == null) {
      node.putNull("verdict").putArray("advice");
    } else {
      CauseJson.advice(node, lead);
    }
    return node;
  }

  private static void radius(ObjectNode node, IncidentReport incident) {
    IncidentReport.Radius radius = incident.radius();
    ObjectNode hurt =
        node.putObject("radius")
            .put("words", IncidentText.radius(incident, false))
            .put("transactions", radius.transactions())
            .put("of", radius.delivered())
            .put("rows", radius.rows())
            .put("moreRows", radius.moreRows());
    ObjectNode tables = hurt.putObject("tables");
    Map<String, Integer> sorted = new TreeMap<>(radius.tables());
    sorted.forEach(tables::put);
    ArrayNode most = hurt.putArray("most");
    for (IncidentReport.StruckRow row : radius.most()) {
      most.addObject()
          .put("table", row.row().table())
          .put("key", row.row().name())
          .put("hash", String.format("%016x", row.row().key()))
          .put("violations", row.violations());
    }
  }

  private static void differences(ObjectNode node, IncidentReport incident) {
    ArrayNode differences = node.putArray("differences");
    for (Difference difference : incident.differences()) {
      differences
          .addObject()
          .put("dimension", difference.dimension().label())
          .put("value", difference.value())
          .put("bad", difference.bad())
          .put("badOf", difference.badOf())
          .put("good", difference.good())
          .put("goodOf", difference.goodOf());
    }
  }
}
