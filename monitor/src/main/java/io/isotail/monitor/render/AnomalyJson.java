package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.CycleEdge;
import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.format.JsonlWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly as JSON: the one form in which the anomalies topic, the API and the command line write
 * it. Fields without a value are {@code null}, never missing.
 */
public final class AnomalyJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private AnomalyJson() {}

  /**
   * The whole anomaly; each element of {@code capsule} is a line of the {@code jsonl} format, as it
   * is written there, and {@code proof} tells them by their places ({@link ProofJson}). Made to be
   * printed: what is raw in it has no tree.
   */
  public static ObjectNode full(Anomaly anomaly, long occurrences) {
    ObjectNode node = head(anomaly, occurrences);
    ArrayNode cycle = node.putArray("cycle");
    for (CycleEdge edge : anomaly.cycle()) {
      cycle
          .addObject()
          .put("from", edge.from())
          .put("to", edge.to())
          .put("kind", edge.kind().label())
          .put("key", edge.key())
          .put("because", edge.because());
    }
    ArrayNode capsule = node.putArray("capsule");
    for (CapsuleTransaction transaction : anomaly.capsule()) {
      capsule.addRawValue(new RawValue(capsuleLine(transaction)));
    }
    origin(node, anomaly).put("evidence", anomaly.evidence());
    Proof proof = anomaly.proof();
    return node.set("proof", proof == null ? JSON.nullNode() : ProofJson.of(proof));
  }

  private static ObjectNode head(Anomaly anomaly, long occurrences) {
    return JSON.objectNode()
        .put("id", anomaly.id())
        .put("level", anomaly.level().label())
        .put("anomaly", anomaly.kind().label())
        .put("adya", anomaly.adya())
        .put("explanation", anomaly.explanation())
        .put("occurrences", occurrences);
  }

  private static ObjectNode origin(ObjectNode node, Anomaly anomaly) {
    return node.put("history", anomaly.history())
        .put("cause", anomaly.cause())
        .put("table", anomaly.table())
        .put("service", anomaly.service())
        .put("offset", anomaly.offset());
  }

  /**
   * The capsule's transactions for people: where each ran, and each operation with its statement.
   */
  public static ArrayNode transactions(Anomaly anomaly) {
    ArrayNode transactions = JSON.arrayNode();
    OperationText words = OperationText.of(anomaly.capsule());
    for (CapsuleTransaction transaction : anomaly.capsule()) {
      ObjectNode node = transactions.addObject();
      node.put("name", transaction.name());
      node.put("session", transaction.session().name());
      node.put("transaction", transaction.transaction());
      node.put("outcome", label(transaction.outcome()));
      node.put("level", transaction.ranAt());
      node.put("offset", transaction.offset());
      node.put("service", transaction.session().service());
      node.put("instance", transaction.session().instance());
      node.put("databaseHost", transaction.session().databaseHost());
      node.put("backendPid", transaction.session().backendPid());
      origin(node, transaction.origin());
      ArrayNode operations = node.putArray("operations");
      Operations ops = transaction.operations();
      for (int i = 0; i < ops.size(); i++) {
        operations
            .addObject()
            .put("text", Names.operation(words, ops, i))
            .put("kind", ops.kind(i).name().toLowerCase(Locale.ROOT))
            .put("key", Names.key(ops, i))
            .put("version", Names.version(ops, i))
            .put("undone", ops.undone(i))
            .put("table", ops.statement(i).table())
            .put("statement", ops.statement(i).fingerprint());
      }
    }
    return transactions;
  }

  /** Which code ran a transaction, as far as it is told. */
  private static void origin(ObjectNode node, @Nullable Origin origin) {
    node.put("application", origin == null ? null : origin.application());
    node.put("endpoint", origin == null ? null : origin.endpoint());
    node.put("trace", origin == null ? null : origin.trace());
    node.put("applicationVersion", origin == null ? null : origin.version());
  }

  /** The transaction as a line of the {@code jsonl} format, without the end of the line. */
  public static String capsuleLine(CapsuleTransaction transaction) {
    return JsonlWriter.line(
        transaction.session(),
        transaction.transaction(),
        transaction.outcome(),
        transaction.ranAt(),
        transaction.times(),
        transaction.operations());
  }

  private static String label(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }
}
