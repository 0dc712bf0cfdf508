package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MetricCatalogue;
import io.isotail.monitor.metrics.ProxyCatalogue;
import io.isotail.monitor.service.MonitorService;
import io.isotail.monitor.service.ProxyService;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every metric and label that a panel or a rule asks for is one that a running monitor exports, or
 * a running proxy.
 */
final class MetricsUsedIT {
  private static final Pattern SELECTOR =
      Pattern.compile("\\b((?:isotail|jvm|process)_[a-z_]+)(?:\\{([^}]*)})?");
  private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
  private static final Pattern HISTOGRAM = Pattern.compile("# TYPE ([a-z_]+) histogram");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

  /** Labels that Prometheus adds when it scrapes. */
  private static final Set<String> TARGET_LABELS = Set.of("instance", "job");

  /**
   * Exported only once an anomaly was found, once the collector has stopped everything, and once a
   * proxy has told of a statement that it could not record.
   */
  private static final Set<String> LATE =
      Set.of(
          "isotail_witness_info",
          "jvm_gc_pause_seconds_sum",
          "isotail_statements_not_captured_total");

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
                        "snapshot-isolation",
                        "histories.shop.unique-versions",
                        "true")));
        Traffic traffic = new Traffic(kafka.bootstrapServers(), "shop")) {
      assertThat(monitor.awaitCaughtUp(Duration.ofSeconds(60))).isTrue();
      traffic.lostUpdate('a');
      traffic.notCaptured();
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!EXPORTED.keySet().containsAll(LATE) && System.nanoTime() < deadlineNs) {
        System.gc();
        read(Daemon.get(URI.create(monitor.address() + "/metrics")).body());
      }
    }
    assertThat(EXPORTED).containsKey("isotail_ready");
    scrapeProxy();
  }

  /** A proxy exports all that it counts before anybody connects. */
  private static void scrapeProxy() throws Exception {
    try (ProxyService proxy = IdleProxy.start()) {
      URI address = URI.create("http://127.0.0.1:%d/metrics".formatted(proxy.httpPort()));
      read(Daemon.get(address).body());
    }
    assertThat(EXPORTED).containsKey("isotail_proxy_ready");
  }

  /**
   * A native histogram has the name alone, and the labels of the classic one; protobuf has it, text
   * has not.
   */
  private static void read(String text) {
    readSamples(text);
    HISTOGRAM
        .matcher(text)
        .results()
        .forEach(m -> EXPORTED.put(m.group(1), EXPORTED.get(m.group(1) + "_count")));
  }

  private static void readSamples(String text) {
    text.lines()
        .filter(line -> !line.startsWith("#"))
        .map(SAMPLE::matcher)
        .filter(Matcher::matches)
        .forEach(
            m -> {
              Set<String> labels = EXPORTED.computeIfAbsent(m.group(1), n -> new HashSet<>());
              if (m.group(2) != null) {
                labels.addAll(labelsOf(m.group(2)));
              }
            });
  }

  @Test
  void ofTheDashboards() throws Exception {
    for (JsonNode dashboard : Dashboards.all().values()) {
      List<String> expressions = Dashboards.expressions(dashboard);
      assertThat(expressions).hasSizeGreaterThan(8);
      expressions.forEach(MetricsUsedIT::assertExported);
      assertExported(dashboard.at("/templating/list/1/query/query").asText());
    }
  }

  @Test
  void everyMetricOfTheMonitorAndOfTheProxyIsOnADashboard() throws Exception {
    Set<String> used = new HashSet<>();
    for (JsonNode dashboard : Dashboards.all().values()) {
      for (String expression : Dashboards.expressions(dashboard)) {
        Matcher selector = SELECTOR.matcher(expression);
        while (selector.find()) {
          used.add(selector.group(1).replaceAll("_(total|info|bucket|sum)$", ""));
        }
      }
    }
    assertThat(used)
        .containsAll(MetricCatalogue.all().stream().map(MetricCatalogue.Metric::name).toList())
        .containsAll(ProxyCatalogue.all().stream().map(MetricCatalogue.Metric::name).toList());
  }

  @Test
  void everyMetricOfTheMonitorIsDocumentedAsItIsExported() throws Exception {
    List<String> rows =
        Repository.read("dashboards/METRICS.md").lines().filter(l -> l.startsWith("| `")).toList();
    List<MetricCatalogue.Metric> metrics = MetricCatalogue.all();
    assertThat(rows).hasSameSizeAs(metrics);
    for (MetricCatalogue.Metric metric : metrics) {
      String row =
          rows.stream()
              .filter(r -> r.matches("\\| `" + metric.name() + "(_total|_info)?` .*"))
              .findFirst()
              .orElse("");
      assertThat(row)
          .as(metric.name())
          .endsWith("| %s | %s |".formatted(String.join(", ", metric.labels()), metric.help()));
      String exported = row.replaceAll("\\| `(\\w+)` .*", "$1");
      String sample = row.contains("| histogram |") ? exported + "_bucket" : exported;
      assertThat(EXPORTED).as(row).containsKey(sample);
    }
  }

  @Test
  void ofTheRules() throws Exception {
    JsonNode rules =
        new YAMLMapper().readTree(Repository.read("dashboards/prometheus/isotail-rules.yml"));
    List<JsonNode> expressions = rules.findValues("expr");
    assertThat(expressions).hasSize(13);
    expressions.forEach(e -> assertExported(e.asText()));
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
