package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * What a release needs: workflows that name only what exists, and poms that Maven Central takes.
 */
final class ReleaseTest {
  private static final Pattern PATH =
      Pattern.compile("(?<![\\w/.-])(deploy|dashboards|\\.ci)/[\\w./-]+");
  private static final Pattern MODULES = Pattern.compile("-pl ([\\w/,-]+)");
  private static final Pattern PROFILES = Pattern.compile("-P([\\w,-]+)");

  @Test
  void everyStepOfTheWorkflowsIsAScriptThatNamesWhatExists() throws Exception {
    int scripts = 0;
    Set<String> profiles = new TreeSet<>(texts(pom("pom.xml"), "profiles", "profile", "id"));
    for (Map.Entry<String, JsonNode> workflow : workflows().entrySet()) {
      for (JsonNode script : workflow.getValue().findValues("run")) {
        scripts++;
        String text = script.asText().replaceAll("\\$\\{\\{.*?}}", "x");
        Repository.Said said = Repository.run("bash", Repository.ROOT, "bash", "-n", "-c", text);
        assertThat(said.status()).as(said.words()).isZero();
        for (String path : found(PATH, text, 0)) {
          if (!path.contains("/target")) {
            assertThat(Repository.ROOT.resolve(path)).as(workflow.getKey()).exists();
          }
        }
        for (String module : found(MODULES, text, 1)) {
          assertThat(List.of(module.split(",")))
              .allSatisfy(m -> assertThat(Repository.ROOT.resolve(m + "/pom.xml")).exists());
        }
        for (String profile : found(PROFILES, text, 1)) {
          assertThat(profiles).contains(profile.split(","));
        }
      }
    }
    assertThat(scripts).isGreaterThan(5);
  }

  @Test
  void everyActionHasAVersionAndEveryJobATimeLimit() throws Exception {
    for (Map.Entry<String, JsonNode> workflow : workflows().entrySet()) {
      workflow
          .getValue()
          .findValues("uses")
          .forEach(u -> assertThat(u.asText()).matches(".+@v\\d+"));
      for (JsonNode job : workflow.getValue().path("jobs")) {
        assertThat(job.path("timeout-minutes").asInt()).as(workflow.getKey()).isPositive();
      }
    }
    JsonNode release = workflows().get("release.yml");
    assertThat(release.path("permissions").toString()).isEqualTo("{\"contents\":\"read\"}");
    assertThat(release.at("/jobs/publish/environment").asText()).isNotEmpty();
  }

  @Test
  void aReleaseHasJarsDriverImagesBillOfMaterialsChecksumsAndSignatures() throws Exception {
    JsonNode release = workflows().get("release.yml");
    List<String> arches =
        release.at("/jobs/image/strategy/matrix/include").findValuesAsText("arch");
    assertThat(arches).containsExactly("amd64", "arm64");
    assertThat(release.at("/jobs/publish/steps").toString())
        .contains(
            "deploy",
            "cyclonedx-maven-plugin:",
            "isotail-jdbc-",
            "SHA256SUMS",
            "--detach-sign",
            "cosign sign");
  }

  /** {@code mvn install} fails in a module that makes no jar. */
  @Test
  void aModuleThatMakesNoJarIsNotInstalled() throws Exception {
    for (String module : texts(pom("pom.xml"), "modules", "module")) {
      Element pom = pom(module + "/pom.xml");
      boolean emptyJar =
          Files.readString(Repository.ROOT.resolve(module + "/pom.xml"))
              .contains("skipIfEmpty>true");
      assertThat(texts(pom, "properties", "maven.install.skip"))
          .as(module)
          .isEqualTo(emptyJar ? List.of("true") : List.of());
    }
  }

  /** What Maven Central asks of each artifact that is published. */
  @Test
  void everyPublishedModuleHasTheCoordinatesThatCentralAsksFor() throws Exception {
    Element root = pom("pom.xml");
    assertThat(children(root))
        .contains("name", "description", "url", "licenses", "developers", "scm", "organization");
    Set<String> published = new LinkedHashSet<>();
    Set<String> kept =
        new TreeSet<>(
            texts(
                root,
                "profiles",
                "profile",
                "build",
                "plugins",
                "plugin",
                "configuration",
                "excludeArtifacts",
                "artifact"));
    for (String module : texts(root, "modules", "module")) {
      Element pom = pom(module + "/pom.xml");
      String id = texts(pom, "artifactId").get(0);
      if (!kept.remove(id)) {
        published.add(id);
        assertThat(children(pom)).as(module).contains("name", "description");
      }
    }
    assertThat(kept).as("modules that do not exist").isEmpty();
    assertThat(published)
        .containsExactly(
            "isotail-incremental",
            "isotail-explore-junit",
            "isotail-ingest",
            "isotail-jdbc",
            "isotail-monitor",
            "isotail-junit");
  }

  @Test
  void theChangelogBeginsWithTheVersionOfThePom() {
    assertThat(
            Repository.read("deploy/CHANGELOG.md")
                .lines()
                .filter(l -> l.startsWith("## "))
                .findFirst())
        .hasValueSatisfying(l -> assertThat(l).startsWith("## " + Repository.version()));
  }

  private static Map<String, JsonNode> workflows() throws IOException {
    Map<String, JsonNode> workflows = new TreeMap<>();
    try (Stream<Path> files = Files.list(Repository.ROOT.resolve(".github/workflows"))) {
      for (Path file : files.toList()) {
        workflows.put(file.getFileName().toString(), new YAMLMapper().readTree(file.toFile()));
      }
    }
    return workflows;
  }

  private static Element pom(String path) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(Repository.ROOT.resolve(path).toFile())
        .getDocumentElement();
  }

  /** Texts of the elements at a path of names. */
  private static List<String> texts(Node node, String... path) {
    if (path.length == 0) {
      return List.of(node.getTextContent().trim());
    }
    List<String> texts = new ArrayList<>();
    for (Node child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child.getNodeName().equals(path[0])) {
        texts.addAll(texts(child, List.of(path).subList(1, path.length).toArray(String[]::new)));
      }
    }
    return texts;
  }

  private static List<String> children(Element element) {
    List<String> names = new ArrayList<>();
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      names.add(child.getNodeName());
    }
    return names;
  }

  private static List<String> found(Pattern pattern, String text, int group) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(group));
    }
    return found;
  }
}
