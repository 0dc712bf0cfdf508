package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.TransactionRecord;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly as it stands on the anomalies topic: {@link AnomalyJson#full} with what the page needs
 * beside it, so that every instance can show what any of them has found.
 */
public final class AnomalyDocument {
  /** Fields beside the anomaly itself, in the order in which they are given up. */
  public static final List<String> EXTRAS = List.of("dot", "transactions");

  /** Kafka's brokers refuse records of 1 MB by default. */
  static final int MAX_BYTES = 900_000;

  /** A line of the capsule, and an edge of the cycle, take this many at least. */
  private static final int LEAST_LINE_BYTES = 50;

  /** Transactions, or edges, of which it is known before that they do not fit. */
  static final int MOST_LINES = MAX_BYTES / LEAST_LINE_BYTES;

  private static final int MOST_EXPLANATION_CHARS = 10_000;
  private static final int NANO_DIGITS = 9;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private AnomalyDocument() {}

  /**
   * The anomaly's document, in UTF-8. Of one that is too large for a record the drawing is left
   * out, then the transactions with their statements, then the capsule with its proof, at last
   * everything but the beginning of the explanation.
   *
   * @param foundAtMs log append time of the record that completed it, in ms; 0 if that is unknown
   * @param clockUncertaintyNs how far clocks were taken to be apart, in ns
   */
  public static byte[] bytes(Anomaly anomaly, long foundAtMs, long clockUncertaintyNs) {
    boolean huge = Math.max(anomaly.capsule().size(), anomaly.cycle().size()) > MOST_LINES;
    Map<String, byte[]> fields =
        rendered(huge ? withoutProof(anomaly) : anomaly, foundAtMs, clockUncertaintyNs);
    for (String extra : EXTRAS) {
      if (huge || size(fields) > MAX_BYTES) {
        fields.remove(extra);
      }
    }
    if (size(fields) > MAX_BYTES) {
      fields.put("capsule", utf8(JSON.arrayNode()));
      fields.put("proof", utf8(JSON.nullNode()));
    }
    if (size(fields) > MAX_BYTES) {
      fields.put("cycle", utf8(JSON.arrayNode()));
      fields.put("evidence", utf8(JSON.nullNode()));
      fields.put("explanation", utf8(JSON.textNode(shortened(anomaly.explanation()))));
    }
    return joined(fields);
  }

  /** A cycle may be as long as the window; what would not fit is not rendered first. */
  private static Anomaly withoutProof(Anomaly whole) {
    return new Anomaly(
        whole.id(),
        whole.history(),
        whole.cause(),
        whole.level(),
        whole.kind(),
        whole.adya(),
        whole.explanation(),
        whole.cycle().size() > MOST_LINES ? List.of() : whole.cycle(),
        List.of(),
        null,
        whole.evidence(),
        whole.table(),
        whole.service(),
        whole.offset(),
        whole.commitTimeNs());
  }

  /** Each field's value, rendered apart from the others, so that one can be left out. */
  private static Map<String, byte[]> rendered(
      Anomaly anomaly, long foundAtMs, long clockUncertaintyNs) {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    of(anomaly, foundAtMs)
        .put("clockUncertainty", text(clockUncertaintyNs))
        .properties()
        .forEach(field -> fields.put(field.getKey(), utf8(field.getValue())));
    return fields;
  }

  /** Length of the document of these fields, in bytes. */
  private static long size(Map<String, byte[]> fields) {
    long bytes = 2; // Braces; each field has quotes, a colon and a comma but for the first.
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      bytes += field.getKey().length() + field.getValue().length + 4;
    }
    return bytes - 1;
  }

  private static byte[] joined(Map<String, byte[]> fields) {
    ByteBuffer document = ByteBuffer.allocate(Math.toIntExact(size(fields)));
    byte separator = '{';
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      document.put(separator).put(utf8(JSON.textNode(field.getKey()))).put((byte) ':');
      document.put(field.getValue());
      separator = ',';
    }
    return document.put((byte) '}').array();
  }

  private static ObjectNode of(Anomaly anomaly, long foundAtMs) {
    ObjectNode document = AnomalyJson.full(anomaly, 1);
    document.put("foundAt", time(foundAtMs / 1_000, foundAtMs % 1_000 * 1_000_000, foundAtMs > 0));
    document.put(
        "committedAt",
        time(0, anomaly.commitTimeNs(), anomaly.commitTimeNs() != TransactionRecord.NO_TIME));
    document.set("transactions", AnomalyJson.transactions(anomaly));
    return document.put("dot", Dot.of(anomaly));
  }

  /** As an option of {@code check} takes it. */
  private static @Nullable String text(long clockUncertaintyNs) {
    return clockUncertaintyNs == CheckerConfig.NEVER_COMPARED
        ? null
        : BigDecimal.valueOf(clockUncertaintyNs, NANO_DIGITS).stripTrailingZeros().toPlainString()
            + "s";
  }

  private static @Nullable String time(long seconds, long ns, boolean known) {
    return known ? Instant.ofEpochSecond(seconds, ns).toString() : null;
  }

  private static String shortened(String text) {
    return text.length() <= MOST_EXPLANATION_CHARS
        ? text
        : text.substring(0, MOST_EXPLANATION_CHARS) + "…";
  }

  private static byte[] utf8(JsonNode json) {
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }
}
