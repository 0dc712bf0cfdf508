package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.monitor.cli.Main;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.ProxySettings;
import java.io.IOException;
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
  private static final Path DEPLOY = Repository.ROOT.resolve("deploy");

  @Test
  void everyPathOfTheComposeFileExists() throws IOException {
    List<String> paths = new ArrayList<>();
    for (JsonNode service : compose().path("services")) {
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
    assertThat(paths).allSatisfy(p -> assertThat(DEPLOY.resolve(p)).exists());
  }

  @Test
  void everyServiceThatIsWaitedForExistsAndTellsItsHealth() throws IOException {
    JsonNode services = compose().path("services");
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
    for (JsonNode service : compose().path("services")) {
      for (JsonNode port : service.path("ports")) {
        assertThat(port.asText()).startsWith("127.0.0.1:");
      }
    }
  }

  @Test
  void everyImageFromElsewhereHasAVersion() throws IOException {
    List<String> images = new ArrayList<>();
    compose().path("services").forEach(s -> images.add(s.path("image").asText()));
    images.removeIf("isotail"::equals); // built here
    assertThat(images).hasSize(5).allMatch(i -> i.matches("[a-z/]+:v?[0-9][0-9.]*"));
  }

  @Test
  void theMonitorsSettingsAreValidAndNameTheServices() throws IOException {
    MonitorConfig config = MonitorConfig.load(DEPLOY.resolve("monitor.yaml"), Map.of(), Map.of());
    String broker = config.kafka().bootstrap().split(":")[0];
    assertThat(compose().path("services").has(broker)).isTrue();
    String scrape = Repository.read("dashboards/prometheus/prometheus.yml");
    assertThat(scrape).contains("monitor:" + config.http().port());
  }

  @Test
  void theProxysSettingsAreValidAndNameTheServices() throws IOException {
    JsonNode services = compose().path("services");
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
        .contains("isotail.tables=" + settings.get("tables") + "&")
        .contains("isotail.clear-names=" + settings.get("clear-names"));
  }

  @Test
  void theImageRunsTheMonitorUnprivilegedAndChecksItsHealth() throws IOException {
    String dockerfile = Files.readString(DEPLOY.resolve("Dockerfile"));
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
            "deploy/kubernetes/base/statefulset.yaml",
            "deploy/kubernetes/example/kustomization.yaml",
            "deploy/kubernetes/proxy/sidecar.yaml");
  }

  private static JsonNode compose() throws IOException {
    return new YAMLMapper().readTree(DEPLOY.resolve("compose.yaml").toFile());
  }
}
