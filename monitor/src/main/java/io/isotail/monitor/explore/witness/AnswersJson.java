package io.isotail.monitor.explore.witness;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What isolation levels say of an anomaly, for programs: one object. */
public final class AnswersJson {
  private AnswersJson() {}

  /** The object. */
  public static ObjectNode of(WitnessProgram witness, LevelAnswers answers) {
    Anomaly anomaly = witness.anomaly();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", anomaly.id());
    json.put("anomaly", anomaly.kind().label());
    json.put("violates", anomaly.level().label());
    json.put("decides", answers.excludesFrom(anomaly.level()));
    json.put("never", witness.never());
    labels(json.putArray("possible"), answers.possible());
    labels(json.putArray("excluded"), answers.excluded());
    ArrayNode transactions = json.putArray("transactions");
    for (int i = 0; i < witness.parts().size(); i++) {
      WitnessProgram.Part part = witness.parts().get(i);
      ObjectNode one = transactions.addObject();
      one.put("name", part.of().name());
      one.put("kind", part.kind());
      one.put("service", part.of().session().service());
      one.put("ranAt", part.of().ranAt());
      if (i < answers.ran().size()) {
        one.put("level", answers.ran().get(i).level().label());
        one.put("assumed", answers.ran().get(i).assumed());
      }
    }
    witness.missing().forEach(json.putArray("missing")::add);
    json.put("asRun", answers.asRun());
    json.put("asRunBySnapshots", answers.asRunBySnapshots());
    ArrayNode raises = json.putArray("raise");
    for (Raise raise : answers.raises()) {
      raise(raises.addObject(), raise, witness);
    }
    json.put("program", witness.text());
    return json;
  }

  private static void raise(ObjectNode json, Raise raise, WitnessProgram witness) {
    CodeGroup group = raise.group();
    json.put("code", group.isCode());
    json.put("service", group.service());
    group.statements().forEach(json.putArray("statements")::add);
    names(json.putArray("executions"), group.parts(), witness);
    json.put("enough", label(raise.enough()));
    json.put("allowed", label(raise.allowed()));
    json.put("known", !raise.open());
    names(json.putArray("commits"), raise.commits(), witness);
    Raise.Found found = raise.found();
    if (found != null) {
      json.putObject("found")
          .put("anomaly", found.kind().label())
          .put("violates", found.level().label());
    }
  }

  private static void names(ArrayNode array, List<Integer> parts, WitnessProgram witness) {
    parts.forEach(part -> array.add(witness.parts().get(part).of().name()));
  }

  private static void labels(ArrayNode array, List<IsolationLevel> levels) {
    levels.forEach(level -> array.add(level.label()));
  }

  private static @Nullable String label(@Nullable IsolationLevel level) {
    return level == null ? null : level.label();
  }
}
