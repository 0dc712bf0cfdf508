package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.MonitorConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Kubernetes manifests agree with each other, with the image and with the monitor. */
final class KubernetesTest {
  private static final Path SETTINGS = Manifests.FOLDER.resolve("base/monitor.yaml");

  @Test
  void everyFileThatIsListedExistsAndEveryFileIsListed() throws Exception {
    List<Path> listed = new ArrayList<>();
    for (Path file : Manifests.files()) {
      if (!file.endsWith("kustomization.yaml")) {
        continue;
      }
      listed.add(file);
      JsonNode kustomization = Manifests.documents(file).get(0);
      List<JsonNode> names = new ArrayList<>();
      kustomization.path("resources").forEach(names::add);
      kustomization.path("components").forEach(names::add);
      kustomization.path("patches").forEach(patch -> names.add(patch.path("path")));
      for (JsonNode map : kustomization.path("configMapGenerator")) {
        map.path("files").forEach(names::add);
      }
      for (JsonNode name : names) {
        Path path = file.resolveSibling(name.asText()).normalize();
        Path target = Files.isDirectory(path) ? path.resolve("kustomization.yaml") : path;
        assertThat(target).isRegularFile();
        listed.add(target);
      }
    }
    assertThat(listed).containsAll(Manifests.files());
  }

  @Test
  void everySelectorMatchesThePodsOrAService() throws Exception {
    JsonNode set = Manifests.only("StatefulSet");
    JsonNode labels = set.at("/spec/template/metadata/labels");
    List<JsonNode> selectors = new ArrayList<>();
    selectors.add(set.at("/spec/selector/matchLabels"));
    selectors.add(Manifests.only("PodDisruptionBudget").at("/spec/selector/matchLabels"));
    selectors.add(
        set.at(
            "/spec/template/spec/affinity/podAntiAffinity/"
                + "preferredDuringSchedulingIgnoredDuringExecution/0/"
                + "podAffinityTerm/labelSelector/matchLabels"));
    for (JsonNode service : Manifests.ofKind("Service")) {
      selectors.add(service.at("/spec/selector"));
    }
    selectors.add(Manifests.only("NetworkPolicy").at("/spec/podSelector/matchLabels"));
    assertThat(selectors).hasSize(6).allSatisfy(s -> assertThat(matches(s, labels)).isTrue());

    JsonNode scraped = Manifests.only("ServiceMonitor").at("/spec/selector/matchLabels");
    List<String> names = new ArrayList<>();
    for (JsonNode service : Manifests.ofKind("Service")) {
      if (matches(scraped, service.at("/metadata/labels"))) {
        names.add(service.at("/metadata/name").asText());
      }
    }
    assertThat(names).containsExactly(set.at("/spec/serviceName").asText());
  }

  @Test
  void everyPortIsTheMonitorsAndHasItsName() throws Exception {
    int port = MonitorConfig.load(SETTINGS, Map.of(), Map.of()).http().port();
    JsonNode container = Manifests.container();
    String name = container.at("/ports/0/name").asText();
    assertThat(name).isEqualTo("http");
    assertThat(container.at("/ports/0/containerPort").asInt()).isEqualTo(port);
    assertThat(Manifests.pod().at("/metadata/annotations").path("prometheus.io/port").asText())
        .isEqualTo(Integer.toString(port));
    List<JsonNode> services = Manifests.ofKind("Service");
    assertThat(services).hasSize(2);
    for (JsonNode service : services) {
      assertThat(service.at("/spec/ports/0/port").asInt()).isEqualTo(port);
      assertThat(service.at("/spec/ports/0/name").asText()).isEqualTo(name);
      assertThat(service.at("/spec/ports/0/targetPort").asText()).isEqualTo(name);
    }
    assertThat(Manifests.only("ServiceMonitor").at("/spec/endpoints/0/port").asText())
        .isEqualTo(name);
    assertThat(Manifests.only("NetworkPolicy").at("/spec/ingress/0/ports/0/port").asText())
        .isEqualTo(name);
    for (String probe : List.of("livenessProbe", "readinessProbe")) {
      assertThat(container.path(probe).at("/httpGet/port").asText()).isEqualTo(name);
    }
    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/healthz");
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
  }

  @Test
  void theSettingsAreMountedWhereTheyAreReadAndAreValid() throws Exception {
    JsonNode container = Manifests.container();
    JsonNode mount = container.at("/volumeMounts/0");
    List<String> args = new ArrayList<>();
    container.path("args").forEach(a -> args.add(a.asText()));
    assertThat(args)
        .containsExactly("serve", "--config", mount.path("mountPath").asText() + "/monitor.yaml");
    JsonNode volume = Manifests.pod().at("/spec/volumes/0");
    assertThat(volume.path("name")).isEqualTo(mount.path("name"));
    JsonNode base = Manifests.documents(Manifests.FOLDER.resolve("base/kustomization.yaml")).get(0);
    assertThat(base.at("/configMapGenerator/0/name")).isEqualTo(volume.at("/configMap/name"));

    assertThat(container.at("/env/0/valueFrom/fieldRef/fieldPath").asText())
        .isEqualTo("metadata.name");
    Map<String, String> environment =
        Map.of(
            container.at("/env/0/name").asText(),
            "isotail-0",
            "ISOTAIL_KAFKA_PROPERTIES_SASL_JAAS_CONFIG",
            "secret");
    MonitorConfig config = MonitorConfig.load(SETTINGS, environment, Map.of());
    assertThat(config.kafka().instanceId()).isEqualTo("isotail-0");
    assertThat(config.kafka().properties()).containsEntry("sasl.jaas.config", "secret");
    assertThat(config.http().host()).isEqualTo("0.0.0.0");
    assertThat(config.kafka().partitions())
        .isGreaterThanOrEqualTo(Manifests.only("StatefulSet").at("/spec/replicas").asInt());

    MonitorConfig example =
        MonitorConfig.load(Manifests.FOLDER.resolve("example/monitor.yaml"), environment, Map.of());
    assertThat(example.histories()).isNotEmpty();
    assertThat(example.http().port()).isEqualTo(config.http().port());
    assertThat(example.http().host()).isEqualTo(config.http().host());
  }

  /** Kubernetes would set ISOTAIL_KAFKA_PORT for a Service called isotail-kafka. */
  @Test
  void variablesOfOtherServicesAreKeptAway() throws Exception {
    Map<String, String> links = Map.of("ISOTAIL_KAFKA_PORT", "tcp://10.0.0.7:9092");
    assertThatThrownBy(() -> MonitorConfig.load(SETTINGS, links, Map.of()))
        .isInstanceOf(ConfigException.class);
    JsonNode linked = Manifests.pod().at("/spec/enableServiceLinks");
    assertThat(linked.isBoolean() && !linked.asBoolean()).isTrue();
  }

  @Test
  void thePodRunsAsTheImagesUserAndCanWriteOnlyToTmp() throws Exception {
    JsonNode pod = Manifests.pod().at("/spec/securityContext");
    assertThat(Repository.read("deploy/Dockerfile"))
        .contains("--uid " + pod.path("runAsUser").asInt() + " ");
    assertThat(pod.path("runAsNonRoot").asBoolean()).isTrue();
    JsonNode container = Manifests.container().path("securityContext");
    assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    List<String> writable = new ArrayList<>();
    for (JsonNode mount : Manifests.container().path("volumeMounts")) {
      if (!mount.path("readOnly").asBoolean()) {
        writable.add(mount.path("mountPath").asText());
      }
    }
    assertThat(writable).containsExactly("/tmp");
  }

  @Test
  void thePodMayTakeLongerToEndThanTheMonitor() throws Exception {
    MonitorConfig config = MonitorConfig.load(SETTINGS, Map.of(), Map.of());
    assertThat(Manifests.pod().at("/spec/terminationGracePeriodSeconds").asInt() * 1000)
        .isGreaterThan(config.shutdownMs() + 5_000);
  }

  @Test
  void everyImageHasTheVersionOfTheBuild() throws Exception {
    String version = Repository.version();
    assertThat(Manifests.container().path("image").asText()).isEqualTo("isotail:" + version);
    JsonNode example =
        Manifests.documents(Manifests.FOLDER.resolve("example/kustomization.yaml")).get(0);
    assertThat(example.at("/images/0/newTag").asText()).isEqualTo(version);
    assertThat(example.at("/images/0/name").asText()).isEqualTo("isotail");
    for (Path file : Manifests.files()) {
      assertThat(Files.readString(file)).doesNotContain("latest");
    }
  }

  @Test
  void theRulesOfTheOperatorAreThoseOfPrometheus() throws Exception {
    String file = "deploy/kubernetes/servicemonitor/rules.yaml";
    assertThat(Repository.read(file))
        .as("renew it: deploy/isotail rules --format kubernetes >%s", file)
        .isEqualTo(Repository.printed("rules", "--format", "kubernetes"));
    JsonNode rules =
        new YAMLMapper().readTree(Repository.read("dashboards/prometheus/isotail-rules.yml"));
    assertThat(Manifests.only("PrometheusRule").path("spec")).isEqualTo(rules);
  }

  /** The label that becomes the job is on the service, with the value that the rules ask for. */
  @Test
  void theOperatorGivesTheJobsNameThatTheRulesAskFor() throws Exception {
    String label = Manifests.only("ServiceMonitor").at("/spec/jobLabel").asText();
    for (JsonNode service : Manifests.ofKind("Service")) {
      assertThat(service.at("/metadata/labels").path(label).asText()).isEqualTo("isotail");
    }
    assertThat(Repository.read("dashboards/prometheus/isotail-rules.yml"))
        .contains("job=\"isotail\"");
  }

  private static boolean matches(JsonNode selector, JsonNode labels) {
    assertThat(selector.isObject() && !selector.isEmpty()).isTrue();
    return selector.properties().stream()
        .allMatch(wanted -> wanted.getValue().equals(labels.path(wanted.getKey())));
  }
}
