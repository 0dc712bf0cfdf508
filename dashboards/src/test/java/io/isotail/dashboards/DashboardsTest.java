package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboards can be provisioned, lead to each other, and explain what they show. */
final class DashboardsTest {
  @TempDir private Path folder;

  private static final Set<String> NAMES =
      Set.of("isotail-overview", "isotail-history", "isotail-checker", "isotail-proxies");
  private static final Pattern BAD_RECORDS =
      Pattern.compile("\\w+ ?(by \\(\\w+\\) ?)?\\(\\w+\\(isotail_bad_records_total[^\\[]*");
  private static final Pattern TO_DASHBOARD = Pattern.compile("^/d/([a-z-]+)");

  @Test
  void eachHasTheUidOfItsFileAndVariablesForDataSourceAndHistory() throws Exception {
    Map<String, JsonNode> dashboards = Dashboards.all();
    assertThat(dashboards).containsOnlyKeys(NAMES);
    for (Map.Entry<String, JsonNode> dashboard : dashboards.entrySet()) {
      JsonNode json = dashboard.getValue();
      assertThat(json.path("uid").asText()).isEqualTo(dashboard.getKey());
      assertThat(json.path("description").asText()).as(dashboard.getKey()).isNotEmpty();
      assertThat(json.at("/templating/list/0/name").asText()).isEqualTo("datasource");
      assertThat(json.at("/templating/list/0/type").asText()).isEqualTo("datasource");
      assertThat(json.at("/templating/list/1/name").asText()).isEqualTo("history");
    }
  }

  @Test
  void eachLeadsToTheOthersAndNowhereElse() throws Exception {
    for (Map.Entry<String, JsonNode> dashboard : Dashboards.all().entrySet()) {
      Set<String> others = new TreeSet<>(NAMES);
      others.remove(dashboard.getKey());
      Set<String> linked = new TreeSet<>();
      for (JsonNode link : dashboard.getValue().path("links")) {
        linked.add(target(link.path("url").asText()));
        // The time range goes along, and the data source: by itself or in the address.
        assertThat(link.path("keepTime").asBoolean()).isTrue();
        assertThat(
                link.path("includeVars").asBoolean()
                    || link.path("url").asText().contains("${datasource:queryparam}"))
            .isTrue();
      }
      assertThat(linked).as(dashboard.getKey()).isEqualTo(others);
      for (JsonNode url : dashboard.getValue().path("panels").findValues("url")) {
        if (url.asText().startsWith("/")) {
          assertThat(NAMES).contains(target(url.asText()));
        }
      }
    }
  }

  @Test
  void aHistoryLeadsToItsDashboardAndAWitnessToItsPage() throws Exception {
    Map<String, JsonNode> dashboards = Dashboards.all();
    List<String> urls = new ArrayList<>();
    dashboards
        .values()
        .forEach(d -> d.path("panels").findValues("url").forEach(u -> urls.add(u.asText())));
    assertThat(urls)
        .anyMatch(u -> u.startsWith("/d/isotail-history?var-history=${__data.fields.history}&"))
        .contains("${__data.fields.page:raw}/anomalies/${__data.fields.witness}")
        // What Prometheus scrapes is an address of the inner network.
        .noneMatch(u -> u.contains("fields.instance"));
  }

  /** Its words change: the last ones are told, once, whichever instance tells them. */
  @Test
  void anIncidentIsOneRowWithItsNewestTitle() throws Exception {
    String series =
        """
              - series: isotail_incident_info{instance="%s:9617", history="shop", slot="%d", incident="%s", title="%s", wave="%d"}
                values: %s
        """;
    String input =
        series.formatted("a", 1, "c1", "1 cause", 1, "1x10 stale")
            + series.formatted("b", 1, "c1", "1 cause", 1, "1x12 stale")
            + series.formatted("a", 1, "c1", "2 causes", 2, "_x11 1x50")
            + series.formatted("b", 1, "c1", "2 causes", 2, "_x13 1x48")
            + series.formatted("a", 2, "c2", "gone", 1, "1x5 stale")
            + series.formatted("a", 2, "c2", "gone for good", 1, "_x6 1x20 stale");
    int tables = 0;
    for (JsonNode dashboard : Dashboards.all().values()) {
      for (String expression : Dashboards.expressions(dashboard)) {
        if (expression.contains("isotail_incident_info")) {
          String filled = Dashboards.filledIn(expression, "shop").replace("[5m:", "[1h:");
          String test =
              """
              tests:
                - interval: 1m
                  input_series:
              %s    promql_expr_test:
                    - expr: count by (incident, title) (%s)
                      eval_time: 50m
                      exp_samples:
                        - labels: '{incident="c1", title="2 causes"}'
                          value: 1
                        - labels: '{incident="c2", title="gone for good"}'
                          value: 1
              """
                  .formatted(input, filled);
          Files.writeString(folder.resolve("test.yml"), test);
          Repository.Said said =
              Repository.run("prometheus", folder, "promtool", "test", "rules", "test.yml");
          assertThat(said.status()).as(said.words()).isZero();
          tables++;
        }
      }
    }
    assertThat(tables).isEqualTo(2);
  }

  @Test
  void everyPanelHasATitleADescriptionAUnitAndAPlaceOfItsOwn() throws Exception {
    for (Map.Entry<String, JsonNode> dashboard : Dashboards.all().entrySet()) {
      Set<Integer> ids = new HashSet<>();
      Set<String> titles = new HashSet<>();
      Set<String> cells = new HashSet<>();
      JsonNode panels = dashboard.getValue().path("panels");
      assertThat(panels.size()).isGreaterThan(8);
      assertThat(rowsAreWide(panels)).as(dashboard.getKey()).isTrue();
      for (JsonNode panel : panels) {
        String title = panel.path("title").asText();
        String where = dashboard.getKey() + ": " + title;
        assertThat(title).as(where).isNotEmpty();
        assertThat(titles.add(title)).as(where).isTrue();
        assertThat(ids.add(panel.path("id").asInt())).as("id of " + where).isTrue();
        if (!isRow(panel)) {
          assertThat(panel.path("description").asText()).as(where).endsWith(".");
          assertThat(panel.at("/fieldConfig/defaults/unit").asText()).as(where).isNotEmpty();
          assertThat(panel.at("/datasource/uid").asText()).as(where).isEqualTo("${datasource}");
          assertThat(panel.path("targets").findValues("expr")).as(where).isNotEmpty();
        }
        JsonNode at = panel.path("gridPos");
        for (int x = 0; x < at.path("w").asInt(); x++) {
          assertThat(at.path("x").asInt() + x).as(where).isLessThan(24);
          for (int y = 0; y < at.path("h").asInt(); y++) {
            String cell = (at.path("x").asInt() + x) + "/" + (at.path("y").asInt() + y);
            assertThat(cells.add(cell)).as(where + " covers another").isTrue();
          }
        }
      }
    }
  }

  private static boolean isRow(JsonNode panel) {
    return panel.path("type").asText().equals("row");
  }

  /** A row is a line of its own, with its panels below it and not inside. */
  private static boolean rowsAreWide(JsonNode panels) {
    for (JsonNode panel : panels) {
      JsonNode at = panel.path("gridPos");
      boolean wide = at.path("w").asInt() == 24 && at.path("h").asInt() == 1;
      if (isRow(panel) && !(wide && panel.path("panels").isEmpty())) {
        return false;
      }
    }
    return true;
  }

  @Test
  void theProxyHasARowOfItsOwn() throws Exception {
    int rows = 0;
    boolean below = false;
    for (JsonNode panel : Dashboards.all().get("isotail-proxies").path("panels")) {
      below |= isRow(panel) && panel.path("title").asText().equals("isotail proxy");
      rows += isRow(panel) ? 1 : 0;
      assertThat(panel.path("targets").toString().contains("isotail_proxy_"))
          .as(panel.path("title").asText())
          .isEqualTo(below && !isRow(panel));
    }
    assertThat(rows).isEqualTo(1);
  }

  /** Every instance reads all records of the anomalies topic: a sum counts each several times. */
  @Test
  void recordsOfTheAnomaliesTopicAreNeverSummedOverInstances() throws Exception {
    List<String> uses = new ArrayList<>();
    for (JsonNode dashboard : Dashboards.all().values()) {
      for (String expression : Dashboards.expressions(dashboard)) {
        Matcher use = BAD_RECORDS.matcher(expression);
        while (use.find()) {
          uses.add(use.group());
        }
      }
    }
    assertThat(uses)
        .hasSizeGreaterThan(2)
        .allMatch(
            use ->
                use.startsWith("sum") && use.contains("{stage!=\"anomaly\"}")
                    || use.startsWith("max") && use.contains("{stage=\"anomaly\"}"));
  }

  @Test
  void everyVariableOfTheDataSourcesIsSetAndLeadsToAService() throws Exception {
    String sources = Repository.read("dashboards/grafana/provisioning/datasources/prometheus.yml");
    ComposeFile compose = ComposeFile.read();
    Map<String, String> environment = compose.environment("grafana");
    Set<String> used = new TreeSet<>();
    Matcher variable = Pattern.compile("(?<!\\$)\\$\\{(\\w+)}").matcher(sources);
    while (variable.find()) {
      used.add(variable.group(1));
      URI url = URI.create(environment.getOrDefault(variable.group(1), "unset:"));
      boolean inside = compose.names().contains(url.getHost());
      boolean outside =
          "localhost".equals(url.getHost()) && compose.published().containsKey(url.getPort());
      assertThat(inside || outside).as("%s: %s", variable.group(1), url).isTrue();
    }
    assertThat(used).containsExactly("ALERTMANAGER_URL", "ISOTAIL_URL", "PROMETHEUS_URL");
  }

  @Test
  void grafanaFindsThemWhereTheComposeFilePutsThem() throws Exception {
    JsonNode provider =
        new YAMLMapper()
            .readTree(Repository.read("dashboards/grafana/provisioning/dashboards/isotail.yml"));
    String folder = provider.at("/providers/0/options/path").asText();
    ComposeFile compose = ComposeFile.read();
    assertThat(compose.mounts("grafana")).containsEntry(folder, "../dashboards/grafana");
    assertThat(compose.environment("grafana").get("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"))
        .isEqualTo(folder + "/isotail-overview.json");
  }

  private static String target(String url) {
    Matcher dashboard = TO_DASHBOARD.matcher(url);
    assertThat(dashboard.find()).as(url).isTrue();
    return dashboard.group(1);
  }
}
