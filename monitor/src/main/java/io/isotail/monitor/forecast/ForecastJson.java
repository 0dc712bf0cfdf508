package io.isotail.monitor.forecast;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.forecast.Course;
import io.isotail.incremental.forecast.Forecast;
import io.isotail.incremental.forecast.Step;
import io.isotail.incremental.forecast.Template;
import io.isotail.monitor.render.AnomalyJson;
import java.util.List;
import java.util.Locale;

/** Forecasts as JSON, and as SARIF 2.1.0 for what shows findings beside code. */
public final class ForecastJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ForecastJson() {}

  /** One object. */
  public static ObjectNode of(Foreseen foreseen) {
    ObjectNode all = JSON.createObjectNode();
    all.put("promise", foreseen.promise().label());
    all.put("transactions", foreseen.seen().committed());
    all.put("kinds", foreseen.kinds());
    all.put("meetings", foreseen.meetings());
    all.put("exhausted", foreseen.exhausted());
    all.put("known", foreseen.known());
    ArrayNode leftOut = all.putArray("leftOut");
    ForecastWords.leftOut(foreseen).forEach(leftOut::add);
    ArrayNode forecasts = all.putArray("forecasts");
    foreseen.forecasts().forEach(forecast -> add(forecasts.addObject(), forecast));
    return all;
  }

  private static void add(ObjectNode node, Forecast forecast) {
    node.put("id", forecast.id());
    node.put("certainty", forecast.certainty().name().toLowerCase(Locale.ROOT));
    node.put("title", ForecastWords.title(forecast));
    node.put("count", forecast.count());
    node.put("changes", forecast.changes());
    node.put("relative", forecast.relative());
    add(node.putArray("transactions"), forecast.templates());
    ArrayNode stale = node.putArray("stale");
    forecast.stale().forEach(query -> stale.add(query.statement()));
    ArrayNode order = node.putArray("order");
    for (Course.Turn turn : forecast.course().turns()) {
      ObjectNode step = order.addObject();
      step.put("transaction", turn.part());
      Step statement = turn.step();
      if (statement == null) {
        step.put("commit", true);
      } else {
        step.put("statement", statement.statement().fingerprint());
      }
    }
    ArrayNode others = node.putArray("others");
    forecast.others().forEach(who -> add(others.addArray(), who));
    ArrayNode remedies = node.putArray("remedies");
    ForecastWords.remedies(forecast).forEach(remedy -> remedies.add(remedy.what()));
    node.set("anomaly", AnomalyJson.full(forecast.anomaly(), 1));
  }

  private static void add(ArrayNode array, List<Template> who) {
    for (Template template : who) {
      ObjectNode node = array.addObject();
      node.put("name", template.name());
      node.put("service", template.service());
      node.put("ranAt", template.ranAt());
      node.put("count", template.count());
      ArrayNode statements = node.putArray("statements");
      template.statements().forEach(statements::add);
    }
  }

  /** SARIF: each forecast is a result of the level {@code warning}. */
  public static ObjectNode sarif(Foreseen foreseen) {
    ObjectNode log = JSON.createObjectNode();
    log.put("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    log.put("version", "2.1.0");
    ObjectNode run = log.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool").putObject("driver");
    driver.put("name", "isotail");
    ArrayNode results = run.putArray("results");
    for (Forecast forecast : foreseen.forecasts()) {
      ObjectNode result = results.addObject();
      result.put("ruleId", forecast.anomaly().kind().label());
      result.put("level", "warning");
      result
          .putObject("message")
          .put(
              "text",
              "%s. %s (%s)."
                  .formatted(
                      ForecastWords.title(forecast),
                      ForecastWords.who(forecast),
                      forecast.certainty().label()));
      result.putObject("partialFingerprints").put("isotail/v1", forecast.id());
      ArrayNode locations = result.putArray("locations");
      forecast.templates().stream()
          .distinct()
          .forEach(
              template ->
                  locations
                      .addObject()
                      .putArray("logicalLocations")
                      .addObject()
                      .put("fullyQualifiedName", template.name()));
    }
    return log;
  }
}
