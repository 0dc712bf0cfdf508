package io.isotail.monitor.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.capture.StatementTally;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyStats;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ProxyMetricsTest {
  private static String scrape() {
    CaptureConfig config = CaptureConfig.of("shop", ObservedTables.parse("orders(id; v)"));
    SinkFactory none =
        (of, oldest) -> {
          throw new IllegalStateException("no connection is opened");
        };
    try (ProxyMetrics metrics =
        new ProxyMetrics(new ProxyStats(), CapturedConversations.of(config, none, 0), () -> true)) {
      return new String(metrics.scrape(null).body(), StandardCharsets.UTF_8);
    }
  }

  /** The name that a metric is exported under, told by its line of type. */
  private static String exported(MetricCatalogue.Metric metric, String exposition) {
    return exposition
        .lines()
        .filter(line -> line.matches("# TYPE " + metric.name() + "(_total)? .*"))
        .map(line -> line.split(" ")[2])
        .findFirst()
        .orElse("not exported");
  }

  @Test
  void theTableOfTheGuideIsWhatIsExported() throws IOException {
    String exposition = scrape();
    List<String> rows =
        ProxyCatalogue.all().stream()
            .map(
                metric ->
                    "| `%s` | %s | %s |"
                        .formatted(
                            exported(metric, exposition),
                            String.join(", ", metric.labels()),
                            metric.help()))
            .toList();
    assertThat(rows).noneMatch(row -> row.contains("not exported"));
    String expected =
        "| metric | labels | what |\n|---|---|---|\n"
            + rows.stream().collect(Collectors.joining("\n"))
            + "\n\n";
    String guide = Files.readString(Path.of("../ingest/guide/proxy.md"));
    assertThat(guide.contains(expected)).as("paste into guide/proxy.md:\n%s", expected).isTrue();
  }

  @Test
  void countersBeginAtZero() {
    assertThat(scrape())
        .contains("isotail_proxy_connections_total 0.0")
        .contains("isotail_proxy_messages_total{side=\"client\"} 0.0")
        .contains("isotail_proxy_start_failures_total{reason=\"client-tls\"} 0.0")
        .contains("isotail_proxy_added_seconds_count{side=\"server\"} 0")
        .contains("isotail_proxy_transactions_total{outcome=\"committed\"} 0.0")
        .contains("isotail_proxy_records_lost_total{reason=\"queue-full\"} 0.0")
        .contains("isotail_proxy_kafka_silent_seconds 0.0");
  }

  @Test
  void whatStatementsWereIsToldInTheWordsOfTheTally() {
    String exposition = scrape();
    for (String outcome : List.of("captured", "unread", "opaque", "outside", "partly", "refused")) {
      assertThat(exposition)
          .contains("isotail_proxy_statements_total{outcome=\"%s\"} 0.0".formatted(outcome));
    }
    List<String> reasons =
        exposition
            .lines()
            .filter(line -> line.startsWith("isotail_proxy_statements_not_captured_total{"))
            .map(line -> line.replaceAll(".*reason=\"([^\"]*)\".*", "$1"))
            .toList();
    assertThat(reasons).containsExactlyInAnyOrderElementsOf(StatementTally.reasons());
  }
}
