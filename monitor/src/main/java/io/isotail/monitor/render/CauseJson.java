package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.cause.Advice;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Remedy;
import io.isotail.incremental.verdict.Moment;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cause as JSON: the one form in which the anomalies topic, the API and the command line write
 * it. Fields without a value are {@code null}, never missing.
 */
public final class CauseJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private CauseJson() {}

  /** The whole cause. */
  public static ObjectNode of(CauseReport cause) {
    ObjectNode node =
        JSON.objectNode()
            .put("cause", cause.id())
            .put("history", cause.history())
            .put("incident", cause.incident())
            .put("slot", cause.slot())
            .put("level", cause.level().label())
            .put("anomaly", cause.kind().label())
            .put("title", CauseText.title(cause))
            .put("firstSeen", time(cause.first()))
            .put("lastSeen", time(cause.last()))
            .put("firstOffset", cause.first().offset())
            .put("lastOffset", cause.last().offset())
            .put("occurrences", cause.occurrences())
            .put("violations", cause.violations())
            .put("proven", cause.proven())
            .put("simplest", cause.simplest())
            .put("simplestTransactions", cause.simplestTransactions())
            .put("latest", cause.latest());
    texts(node, "tables", cause.tables());
    texts(node, "services", cause.services());
    texts(node, "endpoints", cause.endpoints());
    texts(node, "ranAt", cause.ranAt());
    ArrayNode statements = node.putArray("statements");
    for (CausePart part : cause.parts()) {
      statements
          .addObject()
          .put("table", part.table())
          .put("statement", part.fingerprint())
          .put("service", part.service())
          .put("endpoint", part.endpoint());
    }
    timeline(node, cause.timeline());
    node.put("fault", cause.fault().label());
    advice(node, cause);
    return node;
  }

  static void timeline(ObjectNode node, CauseReport.Timeline of) {
    ObjectNode timeline = node.putObject("timeline");
    timeline.put("begin", time(of.beginMs()));
    timeline.put("stepMs", of.stepMs());
    ArrayNode counts = timeline.putArray("counts");
    of.counts().forEach(counts::add);
  }

  /** Whose fault it is and what to do. */
  static void advice(ObjectNode node, CauseReport cause) {
    Advice advice = Advice.of(cause);
    node.put("verdict", advice.fault());
    ArrayNode remedies = node.putArray("advice");
    for (Remedy remedy : advice.remedies()) {
      remedies.addObject().put("what", remedy.what()).put("cost", remedy.cost());
    }
  }

  static void texts(ObjectNode node, String field, List<String> texts) {
    ArrayNode array = node.putArray(field);
    texts.forEach(array::add);
  }

  static @Nullable String time(Moment moment) {
    return time(moment.appendTimeMs());
  }

  /** In ISO 8601; null where the log has no times. */
  static @Nullable String time(long appendTimeMs) {
    return appendTimeMs > 0 ? Instant.ofEpochMilli(appendTimeMs).toString() : null;
  }
}
