package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mixin is the dashboards and rules that are shipped, and changes what its settings say. */
final class MixinTest {
  private static final String MIXIN = "(import 'mixin/mixin.libsonnet')";

  @TempDir private Path folder;

  @Test
  void itsRulesAreWhatTheCommandPrints() {
    assertThat(Repository.read("dashboards/mixin/rules.json"))
        .as("renew it: deploy/isotail rules --format json >dashboards/mixin/rules.json")
        .isEqualTo(Repository.printed("rules", "--format=json"));
  }

  @Test
  void withoutSettingsItIsWhatIsShipped() throws Exception {
    JsonNode shipped =
        new YAMLMapper().readTree(Repository.read("dashboards/prometheus/isotail-rules.yml"));
    JsonNode alerts = jsonnet(MIXIN + ".prometheusAlerts");
    JsonNode records = jsonnet(MIXIN + ".prometheusRules");
    List<JsonNode> rules = new ArrayList<>();
    alerts.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    records.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
    List<JsonNode> expected = new ArrayList<>();
    shipped.path("groups").forEach(group -> group.path("rules").forEach(expected::add));
    assertThat(rules).containsExactlyInAnyOrderElementsOf(expected).hasSizeGreaterThan(10);

    JsonNode dashboards = jsonnet(MIXIN + ".grafanaDashboards");
    assertThat(dashboards.size()).isEqualTo(Dashboards.all().size());
    for (Map.Entry<String, JsonNode> each : Dashboards.all().entrySet()) {
      JsonNode made = dashboards.path(each.getKey() + ".json");
      assertThat(made.path("panels")).as(each.getKey()).isEqualTo(each.getValue().path("panels"));
      assertThat(made.path("uid").asText()).isEqualTo(each.getKey());
    }
  }

  @Test
  void itsSettingsChangeTheJobAndAddLabelsAndPrometheusTakesTheResult() throws Exception {
    JsonNode alerts =
        jsonnet(
            "(%s + {_config+:: {job: 'monitoring/isotail', alertLabels: {team: 'db'}}}).prometheusAlerts"
                .formatted(MIXIN));
    assertThat(alerts.toString())
        .contains("job=\\\"monitoring/isotail\\\"")
        .doesNotContain("job=\\\"isotail\\\"");
    for (JsonNode group : alerts.path("groups")) {
      for (JsonNode rule : group.path("rules")) {
        assertThat(rule.at("/labels/team").asText()).isEqualTo("db");
        assertThat(rule.at("/labels/severity").asText()).isNotEmpty();
      }
    }
    Files.writeString(folder.resolve("rules.yml"), alerts.toString());
    Repository.Said said =
        Repository.run("prometheus", folder, "promtool", "check", "rules", "rules.yml");
    assertThat(said.status()).as(said.words()).isZero();
  }

  private static JsonNode jsonnet(String expression) throws Exception {
    Repository.Said said =
        Repository.run("jsonnet", Repository.DASHBOARDS, "jsonnet", "-e", expression);
    assertThat(said.status()).as(said.words()).isZero();
    return new ObjectMapper().readTree(said.words());
  }
}
