package io.isotail.monitor.otlp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.cause.Advice;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.Culprit;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.incremental.verdict.Moment;
import io.isotail.monitor.render.CauseText;
import io.isotail.monitor.render.IncidentText;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Events as OTLP's JSON has them: 64-bit numbers are text, ids of traces are hexadecimal [1]. An
 * event has one trace id of its own; attribute {@code isotail.traces} has all. Without a value an
 * attribute is left out.
 *
 * <p>[1] OpenTelemetry Protocol Specification 1.7, section "JSON Protobuf Encoding".
 */
final class LogRecords {
  static final String INCIDENT = "isotail.incident";
  static final String CAUSE = "isotail.cause";

  /** Numbers of OpenTelemetry's severities. */
  private static final int WARN = 13;

  private static final int ERROR = 17;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private LogRecords() {}

  /** A cause was found. */
  static ObjectNode of(CauseReport cause, List<String> traces, URI page) {
    ObjectNode event = event(CAUSE, WARN, "WARN", CauseText.title(cause), cause.first(), traces);
    ArrayNode attributes = event.putArray("attributes");
    add(attributes, "isotail.history", cause.history());
    add(attributes, "isotail.cause", cause.id());
    add(attributes, "isotail.incident", cause.incident());
    add(attributes, "isotail.kind", cause.kind().label());
    add(attributes, "isotail.level", cause.level().label());
    add(attributes, "isotail.services", cause.services());
    add(attributes, "isotail.endpoints", cause.endpoints());
    add(attributes, "isotail.tables", cause.tables());
    advice(attributes, cause);
    add(attributes, "isotail.traces", traces);
    add(attributes, "url.full", page + "/causes/" + cause.id());
    return event;
  }

  /** An incident has begun, or has become worse. */
  static ObjectNode of(
      IncidentReport incident, @Nullable CauseReport lead, List<String> traces, URI page) {
    String title = IncidentText.title(incident);
    ObjectNode event = event(INCIDENT, ERROR, "ERROR", title, incident.wave().since(), traces);
    ArrayNode attributes = event.putArray("attributes");
    add(attributes, "isotail.history", incident.history());
    add(attributes, "isotail.incident", incident.id());
    attributes
        .addObject()
        .put("key", "isotail.wave")
        .putObject("value")
        .put("intValue", Integer.toString(incident.wave().number()));
    add(attributes, "isotail.wave.reason", incident.wave().reason());
    add(attributes, "isotail.root", incident.root().kind().label());
    add(attributes, "isotail.kind", kinds(incident));
    add(attributes, "isotail.level", incident.root().promised().label());
    add(attributes, "isotail.services", texts(incident.culprits().stream().map(Culprit::service)));
    add(
        attributes,
        "isotail.endpoints",
        texts(incident.culprits().stream().map(Culprit::endpoint)));
    if (lead != null) {
      add(attributes, CAUSE, lead.id());
      advice(attributes, lead);
    }
    add(attributes, "isotail.traces", traces);
    add(attributes, "url.full", page + "/incidents/" + incident.id());
    return event;
  }

  private static List<String> kinds(IncidentReport incident) {
    return incident.kinds().keySet().stream().map(kind -> kind.label()).toList();
  }

  private static List<String> texts(Stream<@Nullable String> names) {
    return names.filter(Objects::nonNull).distinct().sorted().toList();
  }

  private static ObjectNode event(
      String name,
      int severity,
      String severityText,
      String sentence,
      Moment at,
      List<String> traces) {
    ObjectNode event = JSON.objectNode();
    if (at.appendTimeMs() > 0) {
      event.put("timeUnixNano", ns(at.appendTimeMs()));
    }
    event
        .put("observedTimeUnixNano", ns(System.currentTimeMillis()))
        .put("severityNumber", severity)
        .put("severityText", severityText)
        .put("eventName", name)
        .putObject("body")
        .put("stringValue", sentence);
    if (!traces.isEmpty()) {
      event.put("traceId", traces.get(0));
    }
    return event;
  }

  private static String ns(long ms) {
    return Long.toString(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private static void advice(ArrayNode attributes, CauseReport cause) {
    Advice advice = Advice.of(cause);
    add(attributes, "isotail.fault", advice.fault());
    if (!advice.remedies().isEmpty()) {
      add(attributes, "isotail.advice", advice.remedies().get(0).what());
    }
    add(attributes, "isotail.witness", cause.simplest());
  }

  /** Adds an attribute, as attributes of a resource have it too. */
  static void add(ArrayNode attributes, String key, String value) {
    if (!value.isEmpty()) {
      attributes.addObject().put("key", key).putObject("value").put("stringValue", value);
    }
  }

  private static void add(ArrayNode attributes, String key, Collection<String> values) {
    if (!values.isEmpty()) {
      ArrayNode all =
          attributes
              .addObject()
              .put("key", key)
              .putObject("value")
              .putObject("arrayValue")
              .putArray("values");
      values.forEach(value -> all.addObject().put("stringValue", value));
    }
  }
}
