package io.isotail.monitor.offline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.monitor.resolve.HashedKey;
import io.isotail.monitor.resolve.ResolvedKey;
import io.isotail.monitor.terminal.Printable;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code resolve} prints, each key at once: text, or one JSON object a line. */
final class ResolveOutput {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final PrintWriter out;
  private final boolean json;

  ResolveOutput(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** A row was found. */
  void found(ResolvedKey found) {
    if (json) {
      ObjectNode node = node(found.key(), found.id(), found.table(), "found");
      ObjectNode key = node.putObject("key");
      found.columns().forEach(column -> key.put(column.name(), column.value()));
      ArrayNode versions = node.putArray("versions");
      for (ResolvedKey.Version version : found.versions()) {
        versions
            .addObject()
            .put("hash", HashedKey.hex(version.id()))
            .put("number", Long.toUnsignedString(version.id()))
            .put("value", version.value())
            .put("present", version.present());
      }
      print(node);
      return;
    }
    out.printf(
        "%s  %s: %s%n",
        shown(found.key()),
        Printable.escaped(found.table()),
        found.columns().stream()
            .map(c -> Printable.value(c.name()) + " = " + Printable.value(c.value()))
            .collect(Collectors.joining(", ")));
    for (ResolvedKey.Version version : found.versions()) {
      String value = version.value();
      out.printf(
          "  version %s (%s)  %s%s%n",
          HashedKey.hex(version.id()),
          Long.toUnsignedString(version.id()),
          value == null ? "not told" : "= " + Printable.value(value),
          version.present() ? ", the row's present one" : "");
    }
    out.flush();
  }

  /** No row was found. */
  void notFound(HashedKey key) {
    if (json) {
      Long id = key.ids().size() == 1 ? key.ids().iterator().next() : null;
      ObjectNode node = node(key, id, key.table(), "not-found").putNull("key");
      node.putArray("versions");
      print(node);
      return;
    }
    out.printf("%s  not found%n", shown(key));
    out.flush();
  }

  /** The proxy does not hide the key. */
  void inClear(HashedKey key, String name) {
    if (json) {
      Long id = key.ids().isEmpty() ? null : key.ids().iterator().next();
      ObjectNode node = node(key, id, key.table(), "in-clear").put("key", name);
      node.putArray("versions");
      print(node);
      return;
    }
    out.printf("%s  in clear already: %s%n", shown(key), Printable.value(name));
    out.flush();
  }

  /** As it was given, with its other form: hexadecimal in sentences, a number in operations. */
  private static String shown(HashedKey key) {
    String shown = Printable.escaped(key.shown());
    if (key.ids().size() != 1) {
      return shown;
    }
    long id = key.ids().iterator().next();
    String hex = HashedKey.hex(id);
    return "%s (%s)".formatted(shown, shown.contains(hex) ? Long.toUnsignedString(id) : hex);
  }

  private static ObjectNode node(
      HashedKey key, @Nullable Long id, @Nullable String table, String status) {
    return JSON.createObjectNode()
        .put("given", key.shown())
        .put("hash", id == null ? null : HashedKey.hex(id))
        .put("number", id == null ? null : Long.toUnsignedString(id))
        .put("table", table)
        .put("status", status);
  }

  private void print(ObjectNode node) {
    try {
      out.println(JSON.writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree must be JSON", e);
    }
    out.flush();
  }
}
