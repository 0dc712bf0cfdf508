package io.isotail.monitor.fleet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.render.StatusJson;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.MonitorStatus.Phase;
import io.isotail.monitor.status.Peer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an instance tells the others of its group: where it and its histories stand.
 *
 * @param group the consumer group
 * @param peer the instance; one that is stopped says farewell
 */
record PeerMessage(String group, Peer peer) {
  /** Form of the message; others are not read. */
  private static final int VERSION = 1;

  /** JSON of histories in one message, so that it is well below what a broker takes. */
  static final int MAX_HISTORIES_BYTES = 500_000;

  /** Longer messages are not of this program. */
  static final int MAX_MESSAGE_BYTES = 1_000_000;

  private static final int MAX_PROBLEM_CHARS = 1_000;

  /** What the page reads of a history. */
  private static final Map<String, JsonNodeType> FIELDS =
      Map.of(
          "verdicts", JsonNodeType.OBJECT,
          "rates", JsonNodeType.OBJECT,
          "counts", JsonNodeType.OBJECT,
          "now", JsonNodeType.OBJECT,
          "undecided", JsonNodeType.OBJECT,
          "anomalies", JsonNodeType.OBJECT,
          "coverage", JsonNodeType.NUMBER);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * The message of an instance. Too many histories for one message go without their latest rates,
   * their statements and their past verdicts; those that are still too many are left out, broken
   * promises last, and counted.
   */
  static byte[] report(String group, String instance, MonitorStatus status, Instant at) {
    List<ObjectNode> histories = new ArrayList<>();
    status.histories().values().stream()
        .sorted(Comparator.comparing(PeerMessage::inTrouble).reversed())
        .forEach(history -> histories.add(StatusJson.history(history)));
    if (histories.stream().mapToInt(PeerMessage::bytes).sum() > MAX_HISTORIES_BYTES) {
      for (ObjectNode history : histories) {
        history.withObject("/rates").putArray("recentTransactions");
        history.withObject("/capture").putArray("worst");
        history.withObject("/track").putArray("changes");
      }
    }
    ObjectNode node = head(group, instance, at).setAll(StatusJson.head(status));
    String problem = status.problem();
    if (problem != null && problem.length() > MAX_PROBLEM_CHARS) {
      node.put("problem", problem.substring(0, MAX_PROBLEM_CHARS));
    }
    ArrayNode shown = node.putArray("histories");
    int left = MAX_HISTORIES_BYTES;
    for (ObjectNode history : histories) {
      int bytes = bytes(history);
      if (bytes <= left) {
        shown.add(history);
        left -= bytes;
      }
    }
    node.put("notShown", histories.size() - shown.size());
    return bytesOf(node);
  }

  /** The last message of an instance that stops in order. */
  static byte[] farewell(String group, String instance, Instant at) {
    ObjectNode node = head(group, instance, at);
    return bytesOf(node.setAll(StatusJson.head(MonitorStatus.INITIAL.stopped("stopped"))));
  }

  private static ObjectNode head(String group, String instance, Instant at) {
    return MAPPER
        .createObjectNode()
        .put("version", VERSION)
        .put("group", group)
        .put(StatusJson.INSTANCE, instance)
        .put("at", at.toString());
  }

  private static boolean inTrouble(HistoryStatus history) {
    return history.failure() != null || history.report().verdicts().containsValue(Verdict.FAIL);
  }

  private static int bytes(ObjectNode history) {
    return history.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  private static byte[] bytesOf(JsonNode node) {
    return node.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads a message.
   *
   * @param nowNs {@code System.nanoTime()}
   * @throws IOException with what is wrong, when this program did not write it
   */
  static PeerMessage parse(byte @Nullable [] bytes, long nowNs) throws IOException {
    if (bytes == null) {
      throw new IOException("no value");
    }
    require(bytes.length <= MAX_MESSAGE_BYTES, "it has %d bytes".formatted(bytes.length));
    JsonNode node;
    try {
      node = MAPPER.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new IOException("not JSON: " + e.getOriginalMessage());
    }
    require(
        node.path("version").asInt() == VERSION,
        "version %.20s; expected %d".formatted(node.path("version"), VERSION));
    String group = text(node, "group");
    Phase phase = phase(text(node, "phase"));
    SortedMap<String, String> histories = new TreeMap<>();
    String instance = text(node, StatusJson.INSTANCE);
    for (JsonNode history : node.path("histories")) {
      histories.put(text(history, "history"), history(history, instance));
    }
    return new PeerMessage(
        group,
        new Peer(
            instance,
            nowNs,
            phase,
            Math.max(0, node.path("phaseSinceMs").asLong()),
            node.path("problem").textValue(),
            lag(node.path("lag")),
            Math.max(0, node.path("notShown").asInt()),
            histories));
  }

  private static @Nullable Lag lag(JsonNode lag) {
    return lag.path("records").isNumber()
        ? new Lag(
            Math.max(0, lag.path("records").asLong()),
            Math.max(0, lag.path("transactions").asLong()),
            Math.max(0, lag.path("seconds").asDouble()))
        : null;
  }

  /** The history as the API tells it: with the instance that checks it. */
  private static String history(JsonNode history, String instance) throws IOException {
    for (Map.Entry<String, JsonNodeType> field : FIELDS.entrySet()) {
      require(
          history.path(field.getKey()).getNodeType() == field.getValue(),
          "a history without '%s'".formatted(field.getKey()));
    }
    require(history.at("/rates/recentTransactions").isArray(), "a history without its rates");
    for (JsonNode kinds : history.path("anomalies")) {
      require(kinds.isObject(), "a history with other anomalies");
    }
    return ((ObjectNode) history).put(StatusJson.INSTANCE, instance).toString();
  }

  private static String text(JsonNode node, String field) throws IOException {
    String text = node.path(field).textValue();
    if (text == null || text.isEmpty()) {
      throw new IOException("no '%s'".formatted(field));
    }
    return text;
  }

  private static void require(boolean condition, String otherwise) throws IOException {
    if (!condition) {
      throw new IOException(otherwise);
    }
  }

  private static Phase phase(String label) throws IOException {
    for (Phase phase : Phase.values()) {
      if (StatusJson.label(phase).equals(label)) {
        return phase;
      }
    }
    throw new IOException("an unknown 'phase'");
  }
}
