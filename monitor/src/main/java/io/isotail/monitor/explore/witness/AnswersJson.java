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
    ArrayNode raises = json.putArray("raise");
    for (LevelAnswers.Raise raise : answers.raises()) {
      ObjectNode one = raises.addObject();
      one.put("transaction", witness.parts().get(raise.part()).of().name());
      one.put("enough", label(raise.enough()));
      one.put("allowed", label(raise.allowed()));
      one.put("known", !raise.open());
      ArrayNode commits = one.putArray("commits");
      raise.commits().forEach(part -> commits.add(witness.parts().get(part).of().name()));
    }
    json.put("program", witness.text());
    return json;
  }

  private static void labels(ArrayNode array, List<IsolationLevel> levels) {
    levels.forEach(level -> array.add(level.label()));
  }

  private static @Nullable String label(@Nullable IsolationLevel level) {
    return level == null ? null : level.label();
  }
}
