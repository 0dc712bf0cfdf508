package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.rules.RuleSetting;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RulesCommandTest {
  private final CommandRun rules = new CommandRun("rules");
  private final StringWriter out = rules.out;
  private final StringWriter err = rules.err;

  private int run(String... options) {
    return rules.run(options);
  }

  private JsonNode printed(String... options) throws Exception {
    assertThat(run(options)).as(err.toString()).isEqualTo(ExitCode.PASSED);
    return new YAMLMapper().readTree(out.toString());
  }

  private static JsonNode rule(JsonNode rules, String alert) {
    for (JsonNode rule : rules.at("/groups/0/rules")) {
      if (rule.path("alert").asText().equals(alert)) {
        return rule;
      }
    }
    throw new AssertionError(alert + " is not in " + rules);
  }

  @Test
  void whatIsSetIsInTheRules() throws Exception {
    JsonNode rules =
        printed(
            "--set=lag.for=5m",
            "--set=lag.seconds=90",
            "--set=anomaly.keep-firing-for=2h",
            "--set=anomaly.window=1h30m",
            "--set=coverage.least=0.5",
            "--set=prefix=Db",
            "--set=job=monitors",
            "--set=severity.page=on",
            "--set=labels.cluster=eu's",
            "--set=public-url=https://isotail.example/x/",
            "--set=runbook-url=https://wiki.example/runbooks/");

    JsonNode lagging = rule(rules, "DbLagging");
    assertThat(lagging.path("for").asText()).isEqualTo("5m");
    assertThat(lagging.path("expr").asText()).endsWith("> 90");
    assertThat(lagging.at("/annotations/page").asText()).isEqualTo("https://isotail.example/x/");
    assertThat(lagging.at("/annotations/runbook_url").asText())
        .isEqualTo("https://wiki.example/runbooks/IsotailLagging.md");
    JsonNode anomaly = rule(rules, "DbAnomaly");
    assertThat(anomaly.path("keep_firing_for").asText()).isEqualTo("2h");
    assertThat(anomaly.path("expr").asText())
        .contains("[1h30m]", "alertname=\"DbAnomaly\"", "and on (history, slot, incident, wave)");
    assertThat(anomaly.at("/labels/severity").asText()).isEqualTo("on");
    assertThat(anomaly.at("/labels/severity").isTextual()).isTrue();
    assertThat(anomaly.at("/labels/cluster").asText()).isEqualTo("eu's");
    assertThat(anomaly.at("/annotations/description").asText())
        .endsWith("About {{ $value | printf \"%.0f\" }} in 1 hour 30 minutes.");
    assertThat(anomaly.at("/annotations/page").asText())
        .contains("}}https://isotail.example/x/incidents/{{")
        .doesNotContain("isotail_monitor_info");
    assertThat(rule(rules, "DbCoverageLow").path("expr").asText()).contains("< 0.5");
    assertThat(rule(rules, "DbMonitorDown").path("expr").asText())
        .contains("up{job=\"monitors\"}")
        .doesNotContain("\"isotail\"");
    assertThat(out.toString())
        .as("how to make the same again")
        .startsWith("# Printed by: isotail rules --set 'anomaly.keep-firing-for=2h'")
        .contains("--set 'labels.cluster=eu'\\''s'");
  }

  @Test
  void theOperatorsFormHasANamespaceAndLabelsOfItsOwn() throws Exception {
    JsonNode rules =
        printed(
            "--format=kubernetes",
            "--set=kubernetes.name=isotail-eu",
            "--set=kubernetes.namespace=monitoring",
            "--set=kubernetes.labels.release=prometheus",
            "--set=kubernetes.labels.example.org/team=payments");

    assertThat(rules.path("kind").asText()).isEqualTo("PrometheusRule");
    assertThat(rules.at("/metadata/name").asText()).isEqualTo("isotail-eu");
    assertThat(rules.at("/metadata/namespace").asText()).isEqualTo("monitoring");
    JsonNode labels = rules.at("/metadata/labels");
    assertThat(labels.path("release").asText()).isEqualTo("prometheus");
    assertThat(labels.path("example.org/team").asText()).isEqualTo("payments");
    assertThat(rule(rules.path("spec"), "IsotailAnomaly").path("labels")).hasSize(1);
  }

  @Test
  void whatCanBeSetIsListedWithItsDefault() {
    assertThat(run("--list")).isEqualTo(ExitCode.PASSED);
    for (RuleSetting setting : RuleSetting.values()) {
      assertThat(out.toString())
          .contains("%s=%s%n    %s%n".formatted(setting.key(), setting.fallback(), setting.doc()));
    }
  }

  @Test
  void eachDefaultIsAllowed() {
    for (RuleSetting setting : RuleSetting.values()) {
      if (!setting.key().endsWith("NAME")) {
        assertThat(run("--set=" + setting.key() + "=" + setting.fallback()))
            .as(err.toString())
            .isEqualTo(ExitCode.PASSED);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "lag.foor=5m | lag.foor: no such setting; did you mean 'lag.for'?",
        "runbook=x | runbook: no such setting; did you mean 'runbook-url'?",
        "coverage=0.9 | coverage: no such setting; did you mean 'coverage.",
        "lag.for=5 | lag.for=5: expected a time as in 30s, 10m or 1h30m",
        "lag.for=0m | lag.for=0m: expected a time",
        "lag.for= | lag.for=: expected a time",
        "lag.memory=2m | lag.memory=2m: not less than lag.for=2m, so that one late record would be",
        "lag.memory=1h | lag.memory=1h: not less than lag.for=2m",
        "lag.memory=1d | lag.memory=1d: not less than lag.for=2m",
        "lag.for=60s | lag.memory=1m: not less than lag.for=60s",
        "lag.seconds=many | lag.seconds=many: expected a number",
        "coverage.least=95 | coverage.least=95: expected a number from 0 to 1",
        "public-url=isotail.example | expected http(s)://HOST",
        "public-url=https://a'b | expected http(s)://HOST",
        "job=a\"b | expected a name of letters",
        "prefix=7 | expected letters, digits and _",
        "target-labels=job, pod | instance among them",
        "labels.a-b=x | 'a-b' is no name of a label",
        "labels.severity=x | the rules set 'severity' themselves",
        "labels.incident=x | the rules set 'incident' themselves",
        "labels.wave=x | the rules set 'wave' themselves",
        "labels.NAME.x=y | 'NAME.x' is no name of a label",
        "kubernetes.labels.a b=x | 'a b' is no name of a label"
      })
  void whatCannotBeSetIsSaid(String setting, String said) {
    assertThat(run("--set", setting)).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).startsWith("isotail rules: ").contains(said);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void allMistakesAreListedAtOnce() {
    assertThat(run("--set", "lag.for=5", "--set", "gap.windo=1h")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("lag.for=5:", "'gap.window'", "rules --list' says more");
    assertThat(run("--format", "yaml")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString()).contains("expected prometheus, kubernetes or json");
  }
}
