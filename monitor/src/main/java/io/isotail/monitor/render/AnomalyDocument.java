package io.isotail.monitor.render;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.TransactionRecord;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
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

  private static final int MOST_EXPLANATION_CHARS = 10_000;
  private static final int NANO_DIGITS = 9;

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
    ObjectNode document = of(anomaly, foundAtMs).put("clockUncertainty", text(clockUncertaintyNs));
    byte[] bytes = utf8(document);
    for (String extra : EXTRAS) {
      if (bytes.length > MAX_BYTES) {
        document.remove(extra);
        bytes = utf8(document);
      }
    }
    if (bytes.length > MAX_BYTES) {
      document.putArray("capsule");
      document.putNull("proof");
      bytes = utf8(document);
    }
    if (bytes.length > MAX_BYTES) {
      document.putArray("cycle");
      document.putNull("evidence");
      document.put("explanation", shortened(anomaly.explanation()));
      bytes = utf8(document);
    }
    return bytes;
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

  private static byte[] utf8(ObjectNode document) {
    return document.toString().getBytes(StandardCharsets.UTF_8);
  }
}
