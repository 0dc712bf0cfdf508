package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every metric and label that a panel or a rule asks for is one that a running monitor exports. */
final class MetricsUsedTest {
  private static final Pattern SELECTOR =
      Pattern.compile("\\b((?:isotail|jvm|process)_[a-z_]+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

  /** Labels that Prometheus adds when it scrapes. */
  private static final Set<String> TARGET_LABELS = Set.of("instance", "job");

  /** Labels by name of the sample, as in a real scrape. */
  private static final Map<String, Set<String>> EXPORTED = new HashMap<>();

  @BeforeAll
  static void scrape() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor =
            MonitorService.start(
                MonitorConfig.of(
                    Map.of(
                        "kafka.bootstrap",
                        kafka.bootstrapServers(),
                        "http.port",
                        "0",
                        "histories.shop.promise",
                        "causal",
                        "histories.shop.unique-versions",
                        "true")))) {
      assertThat(monitor.awaitCaughtUp(Duration.ofSeconds(60))).isTrue();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(monitor.address() + "/metrics")).build();
      String text =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      Pattern sample = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
      text.lines()
          .filter(line -> !line.startsWith("#"))
          .map(sample::matcher)
          .filter(Matcher::matches)
          .forEach(
              m -> {
                Set<String> labels = EXPORTED.computeIfAbsent(m.group(1), n -> new HashSet<>());
                if (m.group(2) != null) {
                  labels.addAll(labelsOf(m.group(2)));
                }
              });
    }
    assertThat(EXPORTED).containsKey("isotail_ready");
  }

  @Test
  void ofTheDashboard() throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(Repository.read("dashboards/grafana/isotail-overview.json"));
    List<String> expressions = new ArrayList<>();
    dashboard.findValues("expr").forEach(e -> expressions.add(e.asText()));
    assertThat(expressions).hasSizeGreaterThan(20);
    expressions.forEach(MetricsUsedTest::assertExported);
    assertExported(dashboard.at("/templating/list/1/query/query").asText());
  }

  @Test
  void ofTheRules() throws Exception {
    JsonNode rules =
        new YAMLMapper().readTree(Repository.read("dashboards/prometheus/isotail-rules.yml"));
    List<JsonNode> expressions = rules.findValues("expr");
    assertThat(expressions).hasSize(8);
    expressions.forEach(e -> assertExported(e.asText()));
  }

  @Test
  void theDashboardCanBeProvisionedAndFound() throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(Repository.read("dashboards/grafana/isotail-overview.json"));
    assertThat(dashboard.path("uid").asText()).isEqualTo("isotail-overview");
    assertThat(dashboard.at("/templating/list/0/type").asText()).isEqualTo("datasource");
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      String title = panel.path("title").asText();
      assertThat(ids.add(panel.path("id").asInt())).as("id of " + title).isTrue();
      assertThat(panel.path("description").asText()).as(title).isNotEmpty();
      assertThat(panel.at("/datasource/uid").asText()).as(title).isEqualTo("${datasource}");
    }
    JsonNode provider =
        new YAMLMapper()
            .readTree(Repository.read("dashboards/grafana/provisioning/dashboards/isotail.yml"));
    assertThat(provider.at("/providers/0/options/path").asText())
        .isEqualTo("/var/lib/grafana/dashboards");
  }

  private static void assertExported(String expression) {
    Matcher used = SELECTOR.matcher(expression);
    boolean any = expression.contains("up{");
    while (used.find()) {
      any = true;
      assertThat(EXPORTED).as(expression).containsKey(used.group(1));
      if (used.group(2) != null) {
        Set<String> labels = labelsOf(used.group(2));
        labels.removeAll(TARGET_LABELS);
        assertThat(EXPORTED.get(used.group(1))).as(expression).containsAll(labels);
      }
    }
    assertThat(any).as("asks for a metric: " + expression).isTrue();
  }

  private static Set<String> labelsOf(String selector) {
    Set<String> labels = new HashSet<>();
    Matcher label = LABEL.matcher(selector);
    while (label.find()) {
      labels.add(label.group(1));
    }
    return labels;
  }
}
