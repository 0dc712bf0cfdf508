package io.isotail.monitor.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.render.IncidentJson;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.StoredIncident;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HistoryInfoTest {
  private final long nowMs = SampleAnomalies.COMMIT_NS / 1_000_000;

  private static String scrape(MonitorMetrics metrics) {
    return new String(metrics.scrape(null).body(), StandardCharsets.UTF_8);
  }

  @Test
  void theLabelsOfAHistoryAreOnItsOwnSeriesAndOnThoseOfItsIncidents() {
    try (MonitorMetrics metrics = new MonitorMetrics(new StatusBoard(), "", "", () -> nowMs)) {
      metrics.labels(h -> h.equals("shop") ? Map.of("team", "a \"b\"", "tier", "1") : Map.of());
      metrics.expect("shop", IsolationLevel.CAUSAL);
      metrics.expect("bank", IsolationLevel.CAUSAL);
      metrics.knows(incident());
      String scraped = scrape(metrics);
      assertThat(scraped)
          .contains("isotail_history_info{history=\"bank\"} 1")
          .contains("isotail_history_info{history=\"shop\",team=\"a \\\"b\\\"\",tier=\"1\"} 1")
          .containsPattern("isotail_incident_info\\{.*history=\"shop\".*tier=\"1\".*} 1");

      metrics.labels(h -> Map.of("team", "c"));
      assertThat(scrape(metrics))
          .contains("isotail_history_info{history=\"shop\",team=\"c\"} 1")
          .doesNotContain("tier=");
    }
  }

  @Test
  void noLabelOfAHistoryIsOneThatAMetricHas() {
    for (MetricCatalogue.Metric metric : MetricCatalogue.all()) {
      for (String label : metric.labels()) {
        Map<String, String> setting = Map.of("histories.shop.labels." + label, "x");
        assertThatThrownBy(() -> MonitorConfig.of(setting))
            .as(metric.name())
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("'%s' is a label that isotail".formatted(label));
      }
    }
  }

  @Test
  void whatAnInstanceChecksOfTheLogIsToldOnceTheBrokerHasAnswered() {
    try (MonitorMetrics metrics =
        new MonitorMetrics(new StatusBoard(), "https://a.example", "https://b.example/runbooks")) {
      assertThat(scrape(metrics))
          .contains(
              "isotail_monitor_info{runbooks=\"https://b.example/runbooks\",url=\"https://a.example\"} 1")
          .doesNotContain("isotail_partitions{");
      metrics.checks(new PartitionShare("c1", "g1", 2, 6));
      assertThat(scrape(metrics))
          .contains("isotail_partitions{group=\"g1\",kafka_cluster=\"c1\"} 6.0")
          .contains("isotail_partitions_assigned{group=\"g1\",kafka_cluster=\"c1\"} 2.0");
    }
  }

  private static StoredIncident incident() {
    CauseReport cause = SampleAnomalies.cause("shop", "w1");
    String document =
        IncidentJson.of(SampleAnomalies.incident(cause), cause).put("slot", 3).toString();
    return StoredIncident.of(document.getBytes(StandardCharsets.UTF_8));
  }
}
