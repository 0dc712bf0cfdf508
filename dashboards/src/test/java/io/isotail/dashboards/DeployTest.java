package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.monitor.cli.Main;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.ProxySettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The image and the compose file name only things that exist. */
final class DeployTest {
  @Test
  void everyPathOfTheComposeFileExists() throws IOException {
    List<String> paths = new ArrayList<>();
    for (JsonNode service : ComposeFile.read().services()) {
      for (JsonNode volume : service.path("volumes")) {
        String source = volume.asText().split(":")[0];
        if (source.startsWith(".")) {
          paths.add(source);
        }
      }
      JsonNode build = service.path("build");
      if (!build.isMissingNode()) {
        paths.add(build.path("context").asText() + "/" + build.path("dockerfile").asText());
      }
    }
    assertThat(paths).hasSizeGreaterThan(4);
    assertThat(paths).allSatisfy(p -> assertThat(ComposeFile.DEPLOY.resolve(p)).exists());
  }

  @Test
  void everyServiceThatIsWaitedForExistsAndTellsItsHealth() throws IOException {
    JsonNode services = ComposeFile.read().services();
    for (JsonNode service : services) {
      for (Map.Entry<String, JsonNode> needed : service.path("depends_on").properties()) {
        JsonNode other = services.path(needed.getKey());
        assertThat(other.isObject()).as(needed.getKey()).isTrue();
        if (needed.getValue().path("condition").asText().equals("service_healthy")) {
          // The image brings its own; see the test of the Dockerfile.
          assertThat(other.has("healthcheck") || other.has("build")).as(needed.getKey()).isTrue();
        }
      }
    }
  }

  @Test
  void nothingListensBeyondTheMachine() throws IOException {
    for (JsonNode service : ComposeFile.read().services()) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
      }
    }
  }

  @Test
  void everyImageFromElsewhereHasAVersion() throws IOException {
    List<String> images = new ArrayList<>();
    ComposeFile.read().services().forEach(s -> images.add(s.path("image").asText()));
    images.removeIf("isotail"::equals); // built here
    assertThat(images).hasSize(5).allMatch(i -> i.matches("[a-z/]+:v?[0-9][0-9.]*"));
  }

  @Test
  void theMonitorsSettingsAreValidAndNameTheServices() throws IOException {
    MonitorConfig config =
        MonitorConfig.load(ComposeFile.DEPLOY.resolve("monitor.yaml"), Map.of(), Map.of());
    String broker = config.kafka().bootstrap().split(":")[0];
    assertThat(ComposeFile.read().services().has(broker)).isTrue();
    String scrape = Repository.read("dashboards/prometheus/prometheus.yml");
    assertThat(scrape).contains("monitor:" + config.http().port());
  }

  @Test
  void theProxysSettingsAreValidAndNameTheServices() throws IOException {
    JsonNode services = ComposeFile.read().services();
    Map<String, String> settings = new HashMap<>();
    for (JsonNode word : services.at("/proxy/command")) {
      if (word.asText().startsWith("--")) {
        String[] setting = word.asText().replaceFirst("^--(set=)?", "").split("=", 2);
        settings.put(setting[0], setting[1]);
      }
    }
    ProxySettings proxy = ProxySettings.load(null, Map.of(), settings);
    assertThat(services.has(proxy.proxy().upstream().host())).isTrue();
    assertThat(services.has(String.valueOf(proxy.capture().kafka()).split(":")[0])).isTrue();
    assertThat(Repository.read("dashboards/prometheus/prometheus.yml"))
        .contains("proxy:" + proxy.http().port());
    assertThat(services.at("/proxy/ports/0").asText())
        .endsWith(":" + proxy.proxy().listen().port());
    String grace = services.at("/proxy/stop_grace_period").asText();
    assertThat(Integer.parseInt(grace.replace("s", "")) * 1_000)
        .isGreaterThan(proxy.drainMs() + 5_000);
    String workload = services.at("/workload/command").toString();
    assertThat(workload)
        .contains("isotail.history=" + settings.get("history") + "&")
        .contains("isotail.clear-names=" + settings.get("clear-names"));
    assertThat(workload.contains("isotail.tables=")).isEqualTo(settings.containsKey("tables"));
  }

  /** Both or neither: a database that begins anew gives out ids of the old one's transactions. */
  @Test
  void whatIsWrittenOutlivesItsContainer() throws IOException {
    ComposeFile compose = ComposeFile.read();
    assertThat(compose.mounts("kafka"))
        .containsEntry(compose.environment("kafka").get("KAFKA_LOG_DIRS"), "kafka");
    // As the image of this release has it: from 18 on it is the folder above.
    assertThat(compose.service("postgres").path("image").asText()).startsWith("postgres:17");
    assertThat(compose.mounts("postgres")).containsEntry("/var/lib/postgresql/data", "postgres");
    assertThat(compose.volumes()).containsExactlyInAnyOrder("kafka", "postgres");
  }

  @Test
  void noPortOfADatabaseOfTheMachineIsTaken() throws IOException {
    assertThat(ComposeFile.read().published()).doesNotContainKeys(5432, 9092, 3306);
  }

  @Test
  void theImageIsBuiltByOneServiceAndPulledByNone() throws IOException {
    ComposeFile compose = ComposeFile.read();
    List<String> builders = new ArrayList<>();
    for (String name : compose.names()) {
      JsonNode service = compose.service(name);
      if (service.path("image").asText().equals("isotail")) {
        boolean builds = service.has("build");
        assertThat(service.path("pull_policy").asText()).isEqualTo(builds ? "build" : "never");
        if (builds) {
          builders.add(name);
        }
      }
    }
    assertThat(builders).containsExactly("monitor");
  }

  /** Where alerts and their messages lead: the name of a container means nothing to a browser. */
  @Test
  void linksOfAlertsLeadToPublishedPorts() throws IOException {
    ComposeFile compose = ComposeFile.read();
    for (String name : List.of("prometheus", "alertmanager")) {
      String flag =
          compose.command(name).stream()
              .filter(word -> word.startsWith("--web.external-url="))
              .findFirst()
              .orElse("");
      URI url = URI.create(flag.replaceFirst("[^=]*=", ""));
      assertThat(compose.published().get(url.getPort()).service()).isEqualTo(name);
    }
  }

  @Test
  void theImageRunsTheMonitorUnprivilegedAndChecksItsHealth() throws IOException {
    String dockerfile = Files.readString(ComposeFile.DEPLOY.resolve("Dockerfile"));
    assertThat(dockerfile).contains("USER isotail", "HEALTHCHECK", "/healthz");
    String mainClass = Main.class.getName();
    assertThat(dockerfile).contains("\"" + mainClass + "\"");
  }

  /** Maven compares the version in a module's pom with its parent's. */
  @Test
  void theVersionStandsInThePomAndWhereATestComparesIt() throws IOException {
    Pattern version =
        Pattern.compile("(?<![\\d.])%s(?![\\d.])".formatted(Pattern.quote(Repository.version())));
    List<String> naming = new ArrayList<>();
    try (Stream<Path> files = Files.walk(Repository.ROOT)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = Repository.ROOT.relativize(file).toString();
        if (!name.matches("(.*/)?(target|\\.git|node_modules)/.*|.*pom\\.xml")
            && version.matcher(Files.readString(file, StandardCharsets.ISO_8859_1)).find()) {
          naming.add(name);
        }
      }
    }
    assertThat(naming)
        .containsExactlyInAnyOrder(
            "deploy/CHANGELOG.md",
            "deploy/chart/Chart.yaml",
            "deploy/kubernetes/base/statefulset.yaml",
            "deploy/kubernetes/example/kustomization.yaml",
            "deploy/kubernetes/proxy/sidecar.yaml");
  }
}
