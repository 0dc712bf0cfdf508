package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rules and the configurations around them, judged by Prometheus's and Alertmanager's own
 * tools.
 */
final class RulesTest {
  private static final Path PROMETHEUS = Repository.DASHBOARDS.resolve("prometheus");

  /** Where runbooks are that no monitor tells another address of. */
  private static final String FALLBACK =
      "https://github.com/isotail/isotail/blob/main/dashboards/runbooks{{";

  @TempDir private Path folder;

  @Test
  void theFileIsWhatTheCommandPrints() {
    assertThat(Repository.read("dashboards/prometheus/isotail-rules.yml"))
        .as("renew it: deploy/isotail rules >dashboards/prometheus/isotail-rules.yml")
        .isEqualTo(Repository.printed("rules"));
  }

  @Test
  void prometheusTakesTheRulesWithEverythingSet() throws Exception {
    Files.writeString(
        folder.resolve("rules.yml"),
        Repository.printed(
            "rules",
            "--set=group=5",
            "--set=prefix=Db",
            "--set=job=a:b-c",
            "--set=target-labels=instance, host",
            "--set=public-url=https://[::1]:9617/x_y~z",
            "--set=runbook-url=https://wiki.example/%7Eisotail",
            "--set=severity.page=on",
            "--set=severity.warning=0123",
            "--set=anomaly.window=1h30m",
            "--set=coverage.least=1",
            "--set=lag.seconds=0.5",
            "--set=labels.team='{{ $labels.history }}'",
            "--set=labels._x=: #"));
    Repository.Said said =
        Repository.run("prometheus", folder, "promtool", "check", "rules", "rules.yml");
    assertThat(said.status()).as(said.words()).isZero();
    assertThat(said.words()).contains("13 rules found");
  }

  @Test
  void prometheusTakesTheConfigurationAndTheRules() throws Exception {
    Repository.Said said =
        Repository.run("prometheus", PROMETHEUS, "promtool", "check", "config", "prometheus.yml");
    assertThat(said.status()).as(said.words()).isZero();
    assertThat(said.words()).contains("13 rules found");
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
      assertThat(runbook).endsWith("{{ end }}/" + name + ".md").contains("{{ else }}" + FALLBACK);
      assertThat(Repository.read("dashboards/runbooks/" + name + ".md")).startsWith("# " + name);
      assertThat(tests).contains("alertname: " + name);
      seen++;
    }
    assertThat(seen).isEqualTo(13);
  }
}
