package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The rules and the configurations around them, judged by Prometheus's and Alertmanager's own
 * tools.
 */
final class RulesTest {
  private static final Path PROMETHEUS = Repository.DASHBOARDS.resolve("prometheus");

  @Test
  void prometheusTakesTheConfigurationAndTheRules() throws Exception {
    Repository.Said said =
        Repository.run("prometheus", PROMETHEUS, "promtool", "check", "config", "prometheus.yml");
    assertThat(said.status()).as(said.words()).isZero();
    assertThat(said.words()).contains("10 rules found");
  }

  @Test
  void everyRuleFiresWhenItShouldAndOnlyThen() throws Exception {
    Repository.Said said =
        Repository.run(
            "prometheus", PROMETHEUS, "promtool", "test", "rules", "isotail-rules-test.yml");
    assertThat(said.status()).as(said.words()).isZero();
  }

  @Test
  void alertmanagerTakesItsConfiguration() throws Exception {
    Repository.Said said =
        Repository.run(
            "prometheus-alertmanager",
            Repository.DASHBOARDS.resolve("alertmanager"),
            "amtool",
            "check-config",
            "alertmanager.yml");
    assertThat(said.status()).as(said.words()).isZero();
  }

  @Test
  void everyAlertHasASummaryADescriptionARunbookAndATest() throws Exception {
    JsonNode rules =
        new YAMLMapper().readTree(Repository.read("dashboards/prometheus/isotail-rules.yml"));
    String tests = Repository.read("dashboards/prometheus/isotail-rules-test.yml");
    int seen = 0;
    for (JsonNode rule : rules.at("/groups/0/rules")) {
      String name = rule.path("alert").asText();
      JsonNode annotations = rule.path("annotations");
      assertThat(annotations.path("summary").asText()).as(name).isNotEmpty();
      assertThat(annotations.path("description").asText()).as(name).isNotEmpty();
      String runbook = annotations.path("runbook_url").asText();
      assertThat(runbook).isEqualTo("dashboards/runbooks/" + name + ".md");
      assertThat(Files.readString(Repository.ROOT.resolve(runbook))).startsWith("# " + name);
      assertThat(tests).contains("alertname: " + name);
      seen++;
    }
    assertThat(seen).isEqualTo(10);
  }
}
