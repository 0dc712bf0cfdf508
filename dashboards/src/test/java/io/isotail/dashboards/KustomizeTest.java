package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What kustomize makes of the manifests. Debian has no package of it, so it may be missing. */
@EnabledIf(value = "isThere", disabledReason = "kubectl is not installed")
final class KustomizeTest {
  static boolean isThere() {
    return Repository.isInstalled("kubectl");
  }

  @Test
  void theBaseMountsTheSettingsAndNamesNoNamespace() throws Exception {
    Map<String, JsonNode> built = build("base");
    assertThat(built)
        .containsOnlyKeys(
            "StatefulSet isotail",
            "Service isotail",
            "Service isotail-pods",
            "PodDisruptionBudget isotail",
            "ConfigMap isotail-" + hash(built));
    assertThat(built.values())
        .allSatisfy(m -> assertThat(m.at("/metadata").has("namespace")).isFalse());
    JsonNode set = built.get("StatefulSet isotail");
    assertThat(set.at("/spec/template/spec/volumes/0/configMap/name").asText())
        .isEqualTo("isotail-" + hash(built));
    assertThat(set.at("/spec/template/metadata/annotations").path("prometheus.io/scrape").asText())
        .isEqualTo("true");
  }

  @Test
  void theExampleAddsItsOwnAndIsScrapedInOneWayOnly() throws Exception {
    Map<String, JsonNode> built = build("example");
    assertThat(built).containsKeys("ServiceMonitor isotail", "PrometheusRule isotail");
    assertThat(built.values())
        .allSatisfy(m -> assertThat(m.at("/metadata/namespace").asText()).isEqualTo("isotail"));
    JsonNode pod = built.get("StatefulSet isotail").at("/spec/template");
    assertThat(pod.at("/spec/containers/0/image").asText())
        .isEqualTo("registry.example.org/isotail:" + Repository.version());
    assertThat(pod.path("metadata").has("annotations")).isFalse();
    assertThat(
            built
                .get("ConfigMap isotail-" + hash(built))
                .path("data")
                .path("monitor.yaml")
                .asText())
        .isEqualTo(Repository.read("deploy/kubernetes/example/monitor.yaml"));
  }

  private static String hash(Map<String, JsonNode> built) {
    String prefix = "ConfigMap isotail-";
    return built.keySet().stream()
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .findFirst()
        .orElse("none");
  }

  private static Map<String, JsonNode> build(String folder) throws Exception {
    Repository.Said said =
        Repository.run("kubectl", Manifests.FOLDER, "kubectl", "kustomize", folder);
    assertThat(said.status()).as(said.words()).isZero();
    return Manifests.objects(said.words());
  }
}
