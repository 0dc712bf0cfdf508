package io.isotail.monitor.resolve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys in an anomaly's JSON document, each once, with all of its versions.
 *
 * <p>They are taken from the capsule, where keys and versions are told apart from names. Of an
 * anomaly so large that it has no capsule, those in its cycle and its sentence are taken.
 *
 * @param history id of the history, null if the document has none
 * @param keys the keys, in the order in which they come
 */
public record AnomalyKeys(@Nullable String history, List<HashedKey> keys) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Explanations that a monitor writes are shorter. */
  private static final int MOST_TEXT_CHARS = 20_000;

  private static final Pattern IN_TEXT = Pattern.compile("([^\\s#,;()]+)#([0-9a-f]{16})\\b");

  /** Copies the list. */
  public AnomalyKeys {
    keys = List.copyOf(keys);
  }

  /**
   * Reads a document as {@code /api/anomalies/ID} gives it.
   *
   * @throws ResolveException when it is none, or no key is in it
   */
  public static AnomalyKeys read(String json) throws ResolveException {
    JsonNode document;
    try {
      document = MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new ResolveException(
          "line %d is no JSON; expected an anomaly as /api/anomalies/ID gives it"
              .formatted(e.getLocation() == null ? 1 : e.getLocation().getLineNr()),
          e);
    }
    if (!document.path("explanation").isTextual()) {
      String found =
          document.path("anomalies").isArray()
              ? "a list of anomalies"
              : "JSON without 'explanation'";
      throw new ResolveException(
          "found %s; expected one anomaly as /api/anomalies/ID gives it".formatted(found));
    }
    Collected collected = new Collected();
    for (JsonNode transaction : document.path("capsule")) {
      for (JsonNode operation : transaction.path("ops")) {
        collected.operation(operation);
      }
    }
    if (collected.byId.isEmpty()) {
      for (JsonNode edge : document.path("cycle")) {
        collected.text(edge.path("key").asText(""));
      }
      collected.text(document.path("explanation").asText(""));
    }
    if (collected.byId.isEmpty()) {
      throw new ResolveException("found no key in the anomaly; expected some in its capsule");
    }
    return new AnomalyKeys(document.path("history").textValue(), collected.keys());
  }

  /** Keys by table and identity. */
  private static final class Collected {
    private record Id(@Nullable String table, Object key) {}

    private static final class Seen {
      final Set<Long> versions = new HashSet<>();
      @Nullable String clearName;
    }

    final Map<Id, Seen> byId = new LinkedHashMap<>();

    /** {@code ["r", KEY, VERSION, {"table": …, "key": …}]}, as a jsonl history has it. */
    void operation(JsonNode operation) {
      if (operation.path(0).asText("").equals("o")) {
        return;
      }
      JsonNode extras = operation.path(operation.size() - 1);
      String table = extras.path("table").textValue();
      JsonNode key = operation.path(1);
      if (key.isTextual()) {
        seen(table, key.textValue()).clearName = key.textValue();
      } else if (key.isIntegralNumber()) {
        Seen seen = seen(table, key.bigIntegerValue().longValue());
        if (extras.path("key").isTextual()) {
          seen.clearName = extras.path("key").textValue();
        }
        version(seen, operation.path(2));
      }
    }

    private static void version(Seen seen, JsonNode version) {
      if (version.isIntegralNumber()) {
        seen.versions.add(version.bigIntegerValue().longValue());
      }
      for (JsonNode element : version.isArray() ? version : List.<JsonNode>of()) {
        version(seen, element);
      }
    }

    void text(String text) {
      Matcher matcher =
          IN_TEXT.matcher(text.substring(0, Math.min(text.length(), MOST_TEXT_CHARS)));
      while (matcher.find()) {
        seen(matcher.group(1), Long.parseUnsignedLong(matcher.group(2), 16));
      }
    }

    private Seen seen(@Nullable String table, Object key) {
      return byId.computeIfAbsent(new Id(table, key), k -> new Seen());
    }

    List<HashedKey> keys() {
      List<HashedKey> keys = new ArrayList<>();
      byId.forEach(
          (id, seen) -> {
            boolean hashed = id.key() instanceof Long;
            String key = id.key() instanceof Long number ? HashedKey.hex(number) : "" + id.key();
            String shown = id.table() == null ? key : id.table() + "#" + key;
            Set<Long> ids = id.key() instanceof Long number ? Set.of(number) : Set.of();
            keys.add(
                new HashedKey(
                    hashed ? shown : key, id.table(), ids, seen.versions, seen.clearName));
          });
      return keys;
    }
  }
}
