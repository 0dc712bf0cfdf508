package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.isotail.monitor.config.MonitorConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Helm makes of the chart: what the Kustomize base is, and what its values say. */
@DisabledOnOs(
    value = OS.LINUX,
    architectures = "aarch64",
    disabledReason = "Maven Central has no library of Helm for Linux on ARM")
final class ChartTest {
  private static final Path CHART = Repository.ROOT.resolve("deploy/chart");
  private static final Path BASE = Manifests.FOLDER.resolve("base");
  private static final Pattern HASHED = Pattern.compile("isotail-[0-9a-f]{10}\\b");
  private static final String SET = "StatefulSet isotail/spec/";
  private static final String POD = SET + "template/spec/";
  private static final String MONITOR = POD + "containers/0/";
  private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);
  private static final String REMOVED = "(removed)";

  @BeforeAll
  static void helmHasALibraryOfThisPlatform() {
    // Else it would download one: what tests run is what the build brings.
    System.setProperty("com.marcnuri.jkube-helm.skipRemoteJar", "true");
    String missing = "";
    try {
      assertThat(Helm.version().call()).startsWith("v3.");
    } catch (LinkageError | IllegalStateException e) {
      missing =
          "Helm's library cannot be loaded here: " + (e.getCause() == null ? e : e.getCause());
    }
    Repository.require(missing.isEmpty(), missing);
  }

  @Test
  void itIsOfTheVersionOfTheBuild() throws Exception {
    JsonNode chart = Manifests.documents(CHART.resolve("Chart.yaml")).get(0);
    assertThat(chart.path("version").asText()).isEqualTo(Repository.version());
    assertThat(chart.path("appVersion").asText()).isEqualTo(Repository.version());
  }

  @Test
  void helmFindsNothingToBlame() {
    LintResult said = new Helm(CHART).lint().strict().call();
    assertThat(said.isFailed()).as("%s", said.getMessages()).isFalse();
  }

  @Test
  void byDefaultItIsTheKustomizeBase() throws Exception {
    Map<String, JsonNode> rendered = Manifests.objects(withoutHash(render()));
    JsonNode settings = rendered.remove("ConfigMap isotail");
    assertThat(new YAMLMapper().readTree(settings.at("/data/monitor.yaml").asText()))
        .isEqualTo(Manifests.documents(BASE.resolve("monitor.yaml")).get(0));
    assertThat(rendered).isEqualTo(kustomized());
  }

  @Test
  void withTheServiceMonitorItIsTheBaseWithThatComponent() throws Exception {
    Map<String, JsonNode> rendered =
        Manifests.objects(withoutHash(render("serviceMonitor.enabled=true")));
    rendered.remove("ConfigMap isotail");
    Map<String, JsonNode> expected = kustomized();
    ((ObjectNode) expected.get("StatefulSet isotail").at("/spec/template/metadata"))
        .remove("annotations");
    for (String kind : List.of("ServiceMonitor", "PrometheusRule")) {
      expected.put(kind + " isotail", partOfIsotail(Manifests.only(kind)));
    }
    assertThat(rendered).isEqualTo(expected);
  }

  @Test
  void eachValueChangesWhatItSaysAndNothingElse() throws Exception {
    String version = Repository.version();
    assertThat(changes("image.repository=r.example.org:5000/isotail"))
        .containsExactly(entry(MONITOR + "image", "r.example.org:5000/isotail:" + version));
    assertThat(changes("image.tag=nightly"))
        .containsExactly(entry(MONITOR + "image", "isotail:nightly"));
    assertThat(changes("image.tag=nightly", "image.digest=" + DIGEST))
        .containsExactly(entry(MONITOR + "image", "isotail@" + DIGEST));
    assertThat(changes("image.pullPolicy=Always"))
        .containsExactly(entry(MONITOR + "imagePullPolicy", "Always"));
    assertThat(changes("image.pullSecrets[0]=registry"))
        .containsExactly(entry(POD + "imagePullSecrets/0/name", "registry"));
    assertThat(changes("replicas=3")).containsExactly(entry(SET + "replicas", "3"));
    assertThat(changes("resources.limits.memory=4Gi"))
        .containsExactly(entry(MONITOR + "resources/limits/memory", "4Gi"));
    assertThat(changes("env[0].name=JAVA_OPTS", "env[0].value=-Xmx1g"))
        .containsOnly(
            entry(MONITOR + "env/1/name", "JAVA_OPTS"), entry(MONITOR + "env/1/value", "-Xmx1g"));
    assertThat(changes("serviceMonitor.labels.release=p")).isEmpty();
    String label = "/metadata/labels/release";
    assertThat(changes("serviceMonitor.enabled=true", "serviceMonitor.labels.release=p"))
        .containsEntry("ServiceMonitor isotail" + label, "p")
        .containsEntry("PrometheusRule isotail" + label, "p")
        .doesNotContainKey("Service isotail" + label);
  }

  @Test
  void changedSettingsRollThePodsAndAChangedPortIsOneEverywhere() throws Exception {
    Map<String, String> broker = changes("config.kafka.bootstrap=one:9092,two:9092");
    String name = broker.get(POD + "volumes/0/configMap/name");
    assertThat(name).matches(HASHED);
    String settings = "ConfigMap " + name;
    assertThat(broker.keySet())
        .filteredOn(path -> !path.startsWith("ConfigMap "))
        .containsExactly(POD + "volumes/0/configMap/name");
    assertThat(broker.get(settings + "/data/monitor.yaml"))
        .contains("bootstrap: one:9092,two:9092\n");

    Map<String, String> port = changes("config.http.port=8080");
    port.keySet().removeIf(path -> path.startsWith("ConfigMap ") || path.contains("volumes"));
    assertThat(port)
        .containsOnly(
            entry(MONITOR + "ports/0/containerPort", "8080"),
            entry(SET + "template/metadata/annotations/prometheus.io~1port", "8080"),
            entry("Service isotail/spec/ports/0/port", "8080"),
            entry("Service isotail-pods/spec/ports/0/port", "8080"));
  }

  @Test
  void theMonitorReadsTheSettingsOfAFileOfValues(@TempDir Path folder) throws Exception {
    String own =
        Repository.read("deploy/kubernetes/example/monitor.yaml")
            + "defaults:\n  window:\n    transactions: 1000000\n";
    Path values = folder.resolve("values.yaml");
    Files.writeString(values, "config:\n" + own.indent(2));
    String rendered = new Helm(CHART).template().withName("isotail").withValuesFile(values).call();
    JsonNode map = Manifests.objects(withoutHash(rendered)).get("ConfigMap isotail");
    assertThat(map).isNotNull();
    Path read = folder.resolve("monitor.yaml");
    Files.writeString(read, map.at("/data/monitor.yaml").asText());
    Path written = folder.resolve("written.yaml");
    Files.writeString(written, own);
    assertThat(MonitorConfig.load(read, Map.of(), Map.of()))
        .isEqualTo(MonitorConfig.load(written, Map.of(), Map.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          replica=3                        | Additional property replica is not allowed
          replicas=0                       | replicas: Must be greater than or equal to 1
          replicas=two                     | replicas: Invalid type. Expected: integer, given: string
          image.repository=isotail:1.0     | image.repository: Does not match pattern
          image.digest=latest              | image.digest: Does not match pattern
          image.pullPolicy=Sometimes       | image.pullPolicy must be one of the following
          resources.limit.memory=1Gi       | resources: Additional property limit is not allowed
          env[0].value=x                   | env.0: name is required
          config.kafka.bootstrap=kafka     | config.kafka.bootstrap: Does not match pattern
          config.kafka.bootstrap=null      | config.kafka: bootstrap is required
          config.http.port=0               | config.http.port: Must be greater than or equal to 1
          config.http.tls.certificate=/c   | config.http.tls: the chart mounts no certificate
          serviceMonitor.enabled=maybe     | serviceMonitor.enabled: Invalid type. Expected: boolean
          securityContext.runAsUser=0      | Additional property securityContext is not allowed
          """)
  void aWrongValueIsRefusedByItsName(String setting, String words) {
    assertThatThrownBy(() -> render(setting)).hasMessageContaining(words);
  }

  @Test
  void whatTheGuideInstallsIsRendered() throws Exception {
    String guide = Repository.read("deploy/README.md");
    String[] settings =
        Pattern.compile("--set ([a-z]+\\.\\S+)")
            .matcher(guide)
            .results()
            .map(found -> found.group(1))
            .toArray(String[]::new);
    assertThat(guide).contains("helm install isotail deploy/chart ");
    assertThat(changes(settings)).containsKeys(MONITOR + "image", POD + "volumes/0/configMap/name");
  }

  private static String render(String... settings) {
    TemplateCommand command = new Helm(CHART).template().withName("isotail");
    for (String setting : settings) {
      String[] parts = setting.split("=", 2);
      command.set(parts[0], parts[1]);
    }
    return command.call();
  }

  /** The text with the name of the settings as it stands in the base. */
  private static String withoutHash(String rendered) {
    List<String> names = HASHED.matcher(rendered).results().map(MatchResult::group).toList();
    assertThat(names).as("of the map, and where it is mounted").hasSize(2);
    assertThat(names.get(0)).isEqualTo(names.get(1));
    return HASHED.matcher(rendered).replaceAll("isotail");
  }

  /** The objects of the base, with the label that its kustomization adds. */
  private static Map<String, JsonNode> kustomized() throws Exception {
    Map<String, JsonNode> objects = new TreeMap<>();
    JsonNode base = Manifests.documents(BASE.resolve("kustomization.yaml")).get(0);
    for (JsonNode file : base.path("resources")) {
      objects.putAll(Manifests.objects(Files.readString(BASE.resolve(file.asText()))));
    }
    objects.values().forEach(ChartTest::partOfIsotail);
    return objects;
  }

  private static JsonNode partOfIsotail(JsonNode object) {
    ((ObjectNode) object.at("/metadata/labels")).put("app.kubernetes.io/part-of", "isotail");
    return object;
  }

  /** Leaves of the objects that are others than by default, with what they are. */
  private static Map<String, String> changes(String... settings) throws Exception {
    Map<String, String> before = leaves(render());
    Map<String, String> after = leaves(render(settings));
    Map<String, String> changes = new TreeMap<>(after);
    before.keySet().forEach(path -> changes.putIfAbsent(path, REMOVED));
    changes.entrySet().removeIf(leaf -> leaf.getValue().equals(before.get(leaf.getKey())));
    return changes;
  }

  private static Map<String, String> leaves(String rendered) throws Exception {
    Map<String, String> leaves = new TreeMap<>();
    Manifests.objects(rendered).forEach((name, object) -> addLeaves(name, object, leaves));
    return leaves;
  }

  private static void addLeaves(String path, JsonNode node, Map<String, String> leaves) {
    if (node.isValueNode()) {
      leaves.put(path, node.asText());
    }
    node.properties()
        .forEach(
            each ->
                addLeaves(path + "/" + each.getKey().replace("/", "~1"), each.getValue(), leaves));
    if (node.isArray()) {
      for (int i = 0; i < node.size(); i++) {
        addLeaves(path + "/" + i, node.get(i), leaves);
      }
    }
  }
}
