package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.monitor.cli.Main;
import io.isotail.monitor.config.ProxySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The proxy's systemd unit and its sidecar agree with the proxy and with the monitor's files. */
final class ProxyFilesTest {
  private static final String UNIT = "deploy/systemd/isotail-proxy.service";
  private static final String MONITORS_UNIT = "deploy/systemd/isotail-monitor.service";
  private static final Path SIDECAR = Manifests.FOLDER.resolve("proxy/sidecar.yaml");
  private static final Path SETTINGS = Manifests.FOLDER.resolve("proxy/proxy.yaml");
  private static final Map<String, String> NEEDED =
      Map.of("upstream", "db:5432", "history", "shop", "kafka", "kafka:9092");

  static boolean isThere() {
    return Repository.isInstalled("systemd-analyze");
  }

  private static String unit(String name) {
    return Repository.read(UNIT)
        .lines()
        .filter(line -> line.startsWith(name + "="))
        .map(line -> line.substring(name.length() + 1))
        .reduce((before, more) -> before + "\n" + more)
        .orElseThrow();
  }

  private static JsonNode pod() throws Exception {
    return Manifests.documents(SIDECAR).get(0).at("/spec/template/spec");
  }

  private static JsonNode container() throws Exception {
    return pod().at("/initContainers/0");
  }

  @Test
  void theUnitStartsTheProxyAndGivesItTimeToEnd() {
    assertThat(unit("ExecStart"))
        .contains(" " + Main.class.getName() + " proxy --config /etc/isotail/proxy.yaml");
    int drainMs = ProxySettings.load(null, Map.of(), NEEDED).drainMs();
    assertThat(Integer.parseInt(unit("TimeoutStopSec")) * 1_000).isGreaterThan(drainMs + 5_000);
    assertThat(
            ProxySettings.load(null, Map.of("ISOTAIL_INSTANCE", "db-7"), NEEDED)
                .capture()
                .instance())
        .isEqualTo("db-7");
    assertThat(unit("Environment")).contains("ISOTAIL_INSTANCE=%H");
  }

  @Test
  void theUnitIsShutInAsTheMonitorsIs() {
    assertThat(hardening(UNIT)).isEqualTo(hardening(MONITORS_UNIT)).hasSizeGreaterThan(20);
  }

  private static List<String> hardening(String unit) {
    return Repository.read(unit)
        .lines()
        .dropWhile(line -> !line.startsWith("DynamicUser="))
        .filter(line -> !line.startsWith("MemoryMax=") && !line.startsWith("#"))
        .toList();
  }

  @Test
  @EnabledIf(value = "isThere", disabledReason = "systemd-analyze is not installed")
  void systemdTakesTheUnit(@TempDir Path folder) throws Exception {
    String java = ProcessHandle.current().info().command().orElse("/usr/bin/java");
    Path unit = folder.resolve("isotail-proxy.service");
    Files.writeString(unit, Repository.read(UNIT).replace("=/usr/bin/java ", "=" + java + " "));
    Repository.Said said =
        Repository.run("systemd", folder, "systemd-analyze", "verify", unit.toString());
    assertThat(said.status()).as(said.words()).isZero();
    assertThat(said.words()).doesNotContain("isotail-proxy.service:");
  }

  @Test
  void theSidecarReadsTheSettingsThatAreMounted() throws Exception {
    List<String> args = new ArrayList<>();
    container().path("args").forEach(a -> args.add(a.asText()));
    JsonNode mount = container().at("/volumeMounts/0");
    assertThat(args)
        .containsExactly("proxy", "--config", mount.path("mountPath").asText() + "/proxy.yaml");
    JsonNode volume = pod().at("/volumes/0");
    assertThat(volume.path("name")).isEqualTo(mount.path("name"));
    JsonNode kustomization =
        Manifests.documents(Manifests.FOLDER.resolve("proxy/kustomization.yaml")).get(0);
    assertThat(kustomization.at("/configMapGenerator/0/name"))
        .isEqualTo(volume.at("/configMap/name"));

    ProxySettings settings =
        ProxySettings.load(SETTINGS, Map.of("ISOTAIL_INSTANCE", "shop-0"), Map.of());
    assertThat(settings.capture().instance()).isEqualTo("shop-0");
    assertThat(container().at("/env/0/name").asText()).isEqualTo("ISOTAIL_INSTANCE");
    assertThat(settings.http().host()).isEqualTo("0.0.0.0");
    assertThat(container().at("/ports/0/containerPort").asInt()).isEqualTo(settings.http().port());
    for (String probe : List.of("startupProbe", "livenessProbe")) {
      assertThat(container().path(probe).at("/httpGet/port"))
          .isEqualTo(container().at("/ports/0/name"));
    }
    assertThat(pod().path("terminationGracePeriodSeconds").asInt() * 1_000)
        .isGreaterThan(settings.drainMs() + 5_000);
  }

  @Test
  void theSidecarIsTheMonitorsImageAndShutInAsThat() throws Exception {
    JsonNode monitor = Manifests.container();
    assertThat(container().path("image")).isEqualTo(monitor.path("image"));
    JsonNode own = container().path("securityContext");
    JsonNode pods = Manifests.pod().at("/spec/securityContext");
    for (String name : List.of("runAsNonRoot", "runAsUser", "runAsGroup")) {
      assertThat(own.path(name)).as(name).isEqualTo(pods.path(name));
    }
    for (String name :
        List.of("allowPrivilegeEscalation", "readOnlyRootFilesystem", "capabilities")) {
      assertThat(own.path(name)).as(name).isEqualTo(monitor.path("securityContext").path(name));
    }
    assertThat(container().path("restartPolicy").asText()).isEqualTo("Always");
    assertThat(pod().path("enableServiceLinks").asBoolean(true)).isFalse();
  }

  @Test
  void prometheusFindsTheSidecarsByLabelAndNameOfThePort() throws Exception {
    JsonNode monitor = Manifests.only("PodMonitor").path("spec");
    JsonNode labels = Manifests.documents(SIDECAR).get(0).at("/spec/template/metadata/labels");
    assertThat(monitor.at("/selector/matchLabels")).isEqualTo(labels).isNotEmpty();
    assertThat(monitor.at("/podMetricsEndpoints/0/port"))
        .isEqualTo(container().at("/ports/0/name"));
    String job = labels.path(monitor.path("jobLabel").asText()).asText();
    assertThat(Repository.read("dashboards/prometheus/prometheus.yml"))
        .as("the job has one name wherever proxies run")
        .contains("job_name: " + job + "\n");
  }

  static boolean hasKubectl() {
    return Repository.isInstalled("kubectl");
  }

  /** Debian has no package of kubectl, so it may be missing. */
  @Test
  @EnabledIf(value = "hasKubectl", disabledReason = "kubectl is not installed")
  void theComponentAddsTheSidecarToEveryDeployment(@TempDir Path folder) throws Exception {
    Path component = Files.createDirectory(folder.resolve("proxy"));
    for (String file : List.of("kustomization.yaml", "sidecar.yaml", "proxy.yaml")) {
      Files.copy(SIDECAR.resolveSibling(file), component.resolve(file));
    }
    Path scraping = Files.createDirectory(folder.resolve("podmonitor"));
    for (String file : List.of("kustomization.yaml", "podmonitor.yaml")) {
      Files.copy(Manifests.FOLDER.resolve("podmonitor").resolve(file), scraping.resolve(file));
    }
    Path shop = Files.createDirectory(folder.resolve("shop"));
    Files.writeString(
        shop.resolve("kustomization.yaml"),
        """
        apiVersion: kustomize.config.k8s.io/v1beta1
        kind: Kustomization
        resources: [deployment.yaml]
        components: [../proxy, ../podmonitor]
        """);
    Files.writeString(
        shop.resolve("deployment.yaml"),
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: shop
        spec:
          selector: {matchLabels: {app: shop}}
          template:
            metadata: {labels: {app: shop}}
            spec:
              containers:
                - name: shop
                  image: shop:1
        """);
    Repository.Said said = Repository.run("kubectl", folder, "kubectl", "kustomize", "shop");
    assertThat(said.status()).as(said.words()).isZero();
    assertThat(said.words())
        .contains("name: shop", "image: shop:1", "name: isotail-proxy", "restartPolicy: Always")
        .contains("app: shop", "isotail.io/proxy: isotail-proxy", "kind: PodMonitor")
        .containsPattern("name: isotail-proxy-[a-z0-9]{10}");
  }
}
