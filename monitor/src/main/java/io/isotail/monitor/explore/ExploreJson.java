package io.isotail.monitor.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.MemoryBounds;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.explore.verdict.Raising;
import io.isotail.incremental.level.IsolationLevel;
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
   * @param bounds of what each level may hold in memory
   */
  static ObjectNode of(
      Program program,
      List<LevelRun.Result> results,
      LevelRun.@Nullable Result shown,
      MemoryBounds bounds) {
    ObjectNode json = head(program);
    ObjectNode most = json.putObject("memoryBounds");
    most.put("rememberedSteps", bounds.rememberedSteps());
    most.put("heldValues", bounds.heldValues());
    ArrayNode levels = json.putArray("levels");
    for (LevelRun.Result result : results) {
      ObjectNode level = levels.addObject();
      level.put("level", shown(program, result));
      level.put("exhausted", result.verdict().exhausted());
      Limit limit = result.verdict().limit();
      level.put("limit", limit == null ? null : limit.label());
      level.put("histories", result.verdict().histories());
      level.put("endStates", result.endStates());
      level.put("blocked", result.blocked());
      level.put("failing", result.verdict().failing());
      SourceError error = result.error();
      level.put("error", error == null ? null : error.getMessage());
      level.put("seconds", result.seconds());
      ObjectNode memory = level.putObject("memory");
      memory.put("openExecutions", result.memory().openExecutions());
      memory.put("rememberedSteps", result.memory().rememberedSteps());
      memory.put("heldValues", result.memory().heldValues());
    }
    json.put(
        "weakest",
        ExploreText.weakestThatHolds(program, results)
            .map(result -> result.level().label())
            .orElse(null));
    ExploredWitness witness = shown == null ? null : shown.verdict().witness();
    json.putNull("failure");
    if (witness != null && shown != null) {
      ObjectNode failure = json.putObject("failure");
      failure.put("level", shown(program, shown));
      failure.put("assertion", witness.what());
      Anomaly anomaly = witness.anomaly().orElse(null);
      failure.put("anomaly", anomaly == null ? null : anomaly.kind().toString());
      failure.put("violates", anomaly == null ? null : anomaly.level().label());
      failure.put("explanation", anomaly == null ? null : ExploreText.explanation(anomaly));
      ArrayNode timeline = failure.putArray("timeline");
      witness.timeline().forEach(timeline::add);
      ArrayNode history = failure.putArray("history");
      witness.records().forEach(record -> history.add(JsonlWriter.line(record)));
    }
    return json;
  }

  /** The object where there is no answer. */
  static ObjectNode ofError(String message) {
    return JsonNodeFactory.instance.objectNode().put("error", message);
  }

  /** The object of {@code --raise}. */
  static ObjectNode of(Program program, Raising raising) {
    ObjectNode json = head(program);
    json.put("others", raising.base().level().label());
    json.put("holds", raising.base().hold());
    json.put("exhausted", raising.base().hold() || raising.base().fail());
    ArrayNode raised = json.putArray("raised");
    for (Raising.Need need : raising.needs()) {
      ObjectNode one = raised.addObject();
      one.put("transaction", need.kind());
      one.put("weakest", need.enough().map(IsolationLevel::label).orElse(null));
      one.put("exact", need.exact());
    }
    return json;
  }

  private static ObjectNode head(Program program) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("program", program.name());
    json.put("asserts", program.asserts());
    ObjectNode mixed = json.putObject("mixed");
    program
        .declaredLevels()
        .forEach(
            (kind, levels) -> {
              ArrayNode of = mixed.putArray(kind);
              levels.forEach(level -> of.add(level.label()));
            });
    return json;
  }

  private static String shown(Program program, LevelRun.Result result) {
    return program.declaresEveryLevel() ? ExploreText.MIXED : result.level().label();
  }
}
