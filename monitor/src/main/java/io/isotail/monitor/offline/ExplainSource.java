package io.isotail.monitor.offline;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.render.Witness;
import io.isotail.monitor.render.WitnessReader;
import io.isotail.monitor.resolve.ResolveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the one anomaly that is meant: in a file with its document, or at a running monitor. */
final class ExplainSource {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The address of an anomaly's or a cause's page, or of its document. */
  private static final Pattern PAGE =
      Pattern.compile(
          "(https?://[^/]+(?:/.+?)??)(?:/api)?/(?:anomalies|causes)/([^/?#]+)(?:[/?#].*)?");

  private final Consumer<String> note;

  /**
   * Finds nothing yet.
   *
   * @param note told what else there is
   */
  ExplainSource(Consumer<String> note) {
    this.note = note;
  }

  /** What a running monitor is asked for; {@code base} is null where only an id was given. */
  record Asked(@Nullable String base, String id) {
    /** From the address of a page, or an id. */
    static Asked of(String text) {
      Matcher page = PAGE.matcher(text);
      return page.matches() ? new Asked(page.group(1), page.group(2)) : new Asked(null, text);
    }
  }

  /**
   * The anomaly in a file that holds documents.
   *
   * @param wanted id of the one that is meant, or of a cause for its simplest one; null for the
   *     first
   * @return empty if the file holds something else, such as a history
   * @throws ResolveException if it is nearly what is expected
   */
  Optional<Witness> document(Path path, @Nullable String wanted)
      throws ResolveException, IOException {
    if (Files.size(path) > InputFiles.MAX_BYTES) {
      return Optional.empty();
    }
    JsonNode first = firstObject(path);
    if (first == null) {
      return Optional.empty();
    }
    if (WitnessReader.isAnomaly(first) && first.has("cycle")) {
      return Optional.of(read(first, path.toString()));
    }
    if (first.path("anomalies").isArray()) {
      String id = wanted == null ? null : simplest(first.path("causes"), wanted);
      return Optional.of(read(chosen(first.path("anomalies"), id, path), path.toString()));
    }
    if (first.path("cause").isTextual() && first.path("simplest").isTextual()) {
      throw new ResolveException(
          "%s: found a cause; expected an anomaly, such as its simplest one: isotail explain %s"
              .formatted(path, first.path("simplest").asText()));
    }
    if (!first.path("ops").isArray()) {
      throw new ResolveException(
          "%s: found JSON that is neither; expected an anomaly as /api/anomalies/ID gives it, or a capsule"
              .formatted(path));
    }
    return Optional.empty();
  }

  /** The id of the simplest anomaly of a cause; an id that is none of a cause as it is. */
  private static String simplest(JsonNode causes, String id) {
    for (JsonNode cause : causes) {
      if (cause.path("cause").asText().equals(id) && cause.path("simplest").isTextual()) {
        return cause.path("simplest").asText();
      }
    }
    return id;
  }

  private static @Nullable JsonNode firstObject(Path path) throws IOException {
    try (JsonParser parser = JSON.createParser(path.toFile())) {
      JsonNode first = JSON.readTree(parser);
      return first != null && first.isObject() ? first : null;
    } catch (JsonProcessingException e) {
      return null; // Some format of histories, or a file that none of them knows.
    }
  }

  private JsonNode chosen(JsonNode anomalies, @Nullable String wanted, Path path)
      throws ResolveException {
    List<String> ids = new ArrayList<>();
    JsonNode chosen = null;
    for (JsonNode each : anomalies) {
      String id = each.path("id").asText();
      if (chosen == null && (wanted == null || wanted.equals(id))) {
        chosen = each;
      } else {
        ids.add(id);
      }
    }
    if (chosen == null) {
      throw new ResolveException(
          wanted == null
              ? "%s: found a list without an anomaly; expected one".formatted(path)
              : "%s: found no anomaly %s; expected one of %s".formatted(path, wanted, ids));
    }
    if (!chosen.has("cycle")) {
      throw new ResolveException(
          "%s: found a list of anomalies without their transactions; expected one anomaly as /api/anomalies/ID gives it: isotail explain %s"
              .formatted(path, chosen.path("id").asText()));
    }
    if (wanted == null) {
      others(ids);
    }
    return chosen;
  }

  /** Tells that there are others; names some of them. */
  void others(List<String> ids) {
    if (!ids.isEmpty()) {
      int shown = Math.min(ids.size(), 5);
      note.accept(
          "%d more there: %s%s; --anomaly ID shows another"
              .formatted(
                  ids.size(),
                  String.join(", ", ids.subList(0, shown)),
                  shown < ids.size() ? ", …" : ""));
    }
  }

  /** Asks a monitor for an anomaly of this id, or for the simplest one of a cause of this id. */
  Witness ask(MonitorApi api, String id) throws ResolveException, InterruptedException {
    Optional<JsonNode> found = api.anomaly(id);
    if (found.isEmpty()) {
      Optional<JsonNode> cause = api.cause(id);
      if (cause.isEmpty()) {
        throw new ResolveException(
            "the monitor at %s knows neither an anomaly nor a cause %s; expected the id of one that it or the anomalies topic keeps"
                .formatted(api.base(), id));
      }
      found = ofCause(api, cause.get());
    }
    Witness witness = read(found.orElseThrow(), api.base() + "/api/anomalies/" + id);
    return witness.withPromise(promise(api, witness.anomaly().history()));
  }

  private Optional<JsonNode> ofCause(MonitorApi api, JsonNode cause)
      throws ResolveException, InterruptedException {
    for (String which : List.of("simplest", "latest")) {
      String id = cause.path(which).asText("");
      Optional<JsonNode> found = id.isEmpty() ? Optional.empty() : api.anomaly(id);
      if (found.isPresent()) {
        note.accept(
            "cause %s, \"%s\": this is its %s proof"
                .formatted(cause.path("cause").asText(), cause.path("title").asText(), which));
        return found;
      }
    }
    throw new ResolveException(
        "the monitor at %s keeps no proof of cause %s any more"
            .formatted(api.base(), cause.path("cause").asText()));
  }

  private static @Nullable IsolationLevel promise(MonitorApi api, String history)
      throws InterruptedException {
    try {
      for (JsonNode each : api.status().map(s -> s.path("histories")).orElse(JSON.nullNode())) {
        if (each.path("history").asText().equals(history) && each.path("promise").isTextual()) {
          return IsolationLevel.ofLabel(each.path("promise").asText());
        }
      }
    } catch (ResolveException | IllegalArgumentException e) {
      // It is shown without.
    }
    return null;
  }

  private static Witness read(JsonNode document, String where) throws ResolveException {
    try {
      return WitnessReader.read(document);
    } catch (IllegalArgumentException e) {
      throw new ResolveException(where + ": " + e.getMessage(), e);
    }
  }
}
