package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Prometheus that takes native histograms gets them, and all else that one without them gets; the
 * dashboards show them with both.
 */
final class NativeHistogramsIT {
  private static final List<String> HISTOGRAMS =
      List.of(
          "isotail_detection_seconds",
          "isotail_end_to_end_delay_seconds",
          "isotail_state_saving_seconds");

  @TempDir private Path folder;

  /** The next key that is struck. */
  private long key = 1_000;

  @Test
  void bothKindsOfPrometheusSeeTheSame() throws Exception {
    Repository.requireInstalled("prometheus", "prometheus");
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor =
            MonitorService.start(
                MonitorConfig.of(
                    Map.of(
                        "kafka.bootstrap",
                        kafka.bootstrapServers(),
                        "http.port",
                        "0",
                        "checkpoint.interval-ms",
                        "200",
                        "histories.shop.promise",
                        "snapshot-isolation",
                        "histories.shop.unique-versions",
                        "true")));
        Traffic traffic = new Traffic(kafka.bootstrapServers(), "shop");
        Daemon classic = prometheus("classic", monitor.port());
        Daemon nativeOnes =
            prometheus("native", monitor.port(), "--enable-feature=native-histograms")) {
      assertThat(monitor.awaitCaughtUp(Duration.ofSeconds(60))).isTrue();
      List<String> panels = panels();
      assertThat(panels).hasSize(4);
      Waiting.until(() -> !classic.query("isotail_detection_seconds_count == 0").isEmpty());
      Waiting.until(
          () -> !nativeOnes.query("histogram_count(isotail_detection_seconds) == 0").isEmpty());
      for (String histogram : HISTOGRAMS) {
        String own = "histogram_count(%s) > 0".formatted(histogram);
        awaitSome(traffic, classic, histogram + "_bucket > 0");
        awaitSome(traffic, nativeOnes, own);
        assertThat(classic.query(own)).isEmpty();
      }
      for (String panel : panels) {
        awaitSome(traffic, classic, panel);
        awaitSome(traffic, nativeOnes, panel);
      }
      Set<String> expected = names(classic);
      HISTOGRAMS.forEach(
          each -> {
            assertThat(expected).contains(each + "_bucket");
            expected.removeIf(name -> name.matches(each + "_(bucket|sum|count)"));
            expected.add(each);
          });
      assertThat(names(nativeOnes)).isEqualTo(expected);
    }
  }

  /** What the dashboards ask of these histograms. */
  private static List<String> panels() throws Exception {
    List<String> asked = new ArrayList<>();
    for (JsonNode dashboard : Dashboards.all().values()) {
      for (String expression : Dashboards.expressions(dashboard)) {
        if (HISTOGRAMS.stream().anyMatch(expression::contains)) {
          asked.add(expression.replace("$history", "shop"));
        }
      }
    }
    return asked;
  }

  private void awaitSome(Traffic traffic, Daemon prometheus, String expression) throws Exception {
    Waiting.until(
        () -> {
          traffic.goOn();
          traffic.lostUpdate(key++);
          return !prometheus.query(expression).isEmpty()
              && !prometheus.query(expression).toString().contains("NaN");
        },
        () -> "nothing is shown by " + expression);
  }

  private static Set<String> names(Daemon prometheus) throws Exception {
    Set<String> names = new TreeSet<>();
    for (JsonNode each : prometheus.query("count by (__name__) ({__name__=~\"isotail_.*\"})")) {
      names.add(each.at("/metric/__name__").asText());
    }
    return names;
  }

  private Daemon prometheus(String name, int monitorPort, String... more) throws Exception {
    Path own = Files.createDirectories(folder.resolve(name));
    Path file =
        Files.writeString(
            own.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s}
            scrape_configs:
              - job_name: isotail
                static_configs: [{targets: ['127.0.0.1:%d']}]
            """
                .formatted(monitorPort));
    int port = Daemon.freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                "/usr/bin/prometheus",
                "--config.file=" + file,
                "--storage.tsdb.path=" + own.resolve("tsdb"),
                "--web.listen-address=127.0.0.1:" + port));
    command.addAll(List.of(more));
    return Daemon.start(port, own.resolve("prometheus.log"), command.toArray(String[]::new));
  }
}
