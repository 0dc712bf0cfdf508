package io.isotail.monitor.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.explore.Program;
import io.isotail.ingest.format.JsonlWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an exploration found, for programs: one object. */
final class ExploreJson {
  private ExploreJson() {}

  /**
   * The object.
   *
   * @param shown the level whose failing history is told, null if none failed
   */
  static ObjectNode of(
      Program program, List<LevelRun.Result> results, LevelRun.@Nullable Result shown) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("program", program.name());
    json.put("asserts", program.asserts());
    ArrayNode levels = json.putArray("levels");
    for (LevelRun.Result result : results) {
      ObjectNode level = levels.addObject();
      level.put("level", result.level().label());
      level.put("exhausted", result.exhausted());
      level.put("histories", result.histories());
      level.put("endStates", result.endStates());
      level.put("blocked", result.blocked());
      level.put("failing", result.found());
      level.put("seconds", result.seconds());
    }
    json.put(
        "weakest",
        ExploreText.weakestThatHolds(program.asserts(), results)
            .map(result -> result.level().label())
            .orElse(null));
    LevelRun.Found first = shown == null ? null : shown.first();
    if (first != null && shown != null) {
      ObjectNode failure = json.putObject("failure");
      failure.put("level", shown.level().label());
      failure.put("assertion", first.what());
      ExploreText.anomaly(first.records())
          .ifPresent(
              anomaly -> {
                failure.put("anomaly", anomaly.kind().toString());
                failure.put("violates", anomaly.level().label());
                failure.put("explanation", anomaly.explanation());
              });
      ArrayNode timeline = failure.putArray("timeline");
      first.timeline().forEach(timeline::add);
      ArrayNode history = failure.putArray("history");
      first.records().forEach(record -> history.add(JsonlWriter.line(record)));
    }
    return json;
  }
}
