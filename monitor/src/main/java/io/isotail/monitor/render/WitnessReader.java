package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.JsonlLine;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads an anomaly's document ({@link AnomalyDocument}, {@link AnomalyJson}) back. What a document
 * that was too large does without is missing in the anomaly too.
 */
public final class WitnessReader {
  private static final String EXPECTED = "expected an anomaly as /api/anomalies/ID gives it";
  private static final long NS_PER_SECOND = 1_000_000_000;

  private WitnessReader() {}

  /** Whether JSON has the fields by which an anomaly is known. */
  public static boolean isAnomaly(JsonNode document) {
    return document.path("anomaly").isTextual() && document.path("explanation").isTextual();
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException saying what was found and what was expected
   */
  public static Witness read(JsonNode document) {
    Anomaly anomaly =
        new Anomaly(
            text(document, "id"),
            document.path("history").asText(""),
            document.path("cause").asText(""),
            known(document, "level", IsolationLevel.values(), IsolationLevel::label),
            known(document, "anomaly", AnomalyKind.values(), AnomalyKind::label),
            document.path("adya").textValue(),
            text(document, "explanation"),
            cycle(document.path("cycle")),
            capsule(document.path("capsule"), document.path("transactions")),
            null,
            document.path("evidence").textValue(),
            document.path("table").textValue(),
            document.path("service").textValue(),
            document.path("offset").asLong(0),
            ns(document.path("committedAt").textValue()));
    return new Witness(
        anomaly,
        document.path("occurrences").asLong(1),
        document.path("foundAt").textValue(),
        null);
  }

  private static List<CycleEdge> cycle(JsonNode edges) {
    List<CycleEdge> cycle = new ArrayList<>();
    for (JsonNode edge : edges) {
      cycle.add(
          new CycleEdge(
              text(edge, "from"),
              text(edge, "to"),
              known(edge, "kind", EdgeKind.values(), EdgeKind::label),
              edge.path("key").textValue(),
              edge.path("because").asText("")));
    }
    return cycle;
  }

  /** The lines of the capsule, with the names and places that the document tells beside them. */
  private static List<CapsuleTransaction> capsule(JsonNode lines, JsonNode told) {
    List<CapsuleTransaction> capsule = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      TransactionRecord record;
      try {
        record = JsonlLine.read(lines.get(i).toString(), i);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "transaction %d of the capsule: %s".formatted(i + 1, e.getMessage()), e);
      }
      JsonNode more = told.size() == lines.size() ? told.get(i) : MissingNode.getInstance();
      String session = more.path("session").asText(withoutId(record.session().name()));
      capsule.add(
          new CapsuleTransaction(
              more.path("name").asText(session + "/" + record.transaction()),
              new SessionInfo(
                  record.session().id(),
                  session,
                  null,
                  more.path("service").textValue(),
                  more.path("instance").textValue(),
                  more.path("databaseHost").textValue(),
                  more.path("backendPid").asInt(0)),
              i,
              record.transaction(),
              record.outcome(),
              record.ranAt(),
              more.path("offset").asLong(0),
              Times.of(record, record.beginNs()),
              record.operations(),
              Origin.of(
                  more.path("application").textValue(),
                  more.path("endpoint").textValue(),
                  more.path("trace").textValue(),
                  more.path("applicationVersion").textValue())));
    }
    return capsule;
  }

  /** The name of a live session has its id behind it in a capsule. */
  private static String withoutId(String session) {
    return session.replaceFirst("(?<=.)#[0-9a-f]{1,16}$", "");
  }

  private static long ns(@Nullable String iso) {
    try {
      if (iso != null) {
        Instant at = Instant.parse(iso);
        return Math.addExact(Math.multiplyExact(at.getEpochSecond(), NS_PER_SECOND), at.getNano());
      }
    } catch (DateTimeException | ArithmeticException e) {
      // As if it were not told.
    }
    return TransactionRecord.NO_TIME;
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException("found no field '%s'; %s".formatted(field, EXPECTED));
    }
    return value.textValue();
  }

  private static <T> T known(JsonNode node, String field, T[] values, Function<T, String> label) {
    String text = text(node, field);
    return Arrays.stream(values)
        .filter(each -> label.apply(each).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "found %s '%s'; expected one of %s"
                        .formatted(
                            field,
                            text,
                            Arrays.stream(values).map(label).collect(Collectors.joining(", ")))));
  }
}
