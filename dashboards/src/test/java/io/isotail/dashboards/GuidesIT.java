package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Every block of commands in the documents runs as it is written. The reader's machine is a network
 * of its own, in which the hosts of the documents are this one and all ports are free. {@code
 * deploy/verify --campaign guides} types what takes half a minute too.
 */
final class GuidesIT {
  private static final Path FOLDER = Path.of("target", "guides").toAbsolutePath();

  /** Enters the reader's machine. */
  private static final String ENTER =
      "ip link set lo up && mount --bind \"$0\" /etc/hosts && exec \"$@\"";

  @Test
  void everyBlockOfCommandsRunsAsItIsWritten() throws Exception {
    Repository.requireInstalled("psql", "postgresql-client");
    assertThat(System.getProperty("user.name"))
        .as("who may make a network of its own")
        .isEqualTo("root");
    // There is no way to a repository of libraries in there.
    assertThat(run(List.of(Repository.ROOT.resolve("deploy/isotail").toString(), "--version")))
        .isZero();
    Files.createDirectories(FOLDER);
    Path hosts = FOLDER.resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 localhost db kafka MONITOR monitor\n");
    List<String> words =
        new ArrayList<>(List.of("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"));
    words.addAll(List.of("--mount-proc", "/bin/sh", "-c", ENTER, hosts.toString()));
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-D" + GuideReader.ALL + "=" + Boolean.getBoolean(GuideReader.ALL));
    words.addAll(List.of("-Xmx600m", "-cp", System.getProperty("java.class.path")));
    words.addAll(List.of(GuideReader.class.getName(), FOLDER.resolve("machine").toString()));
    assertThat(run(words)).as("see what is printed above").isZero();
  }

  @Test
  void everyDocumentWithCommandsIsRead() throws Exception {
    List<String> withCommands = new ArrayList<>();
    for (Path document : DocumentsTest.documents()) {
      String name = Repository.ROOT.relativize(document).toString();
      if (!CommandBlock.of(name).isEmpty() && !name.startsWith("deploy/results/")) {
        withCommands.add(name);
      }
    }
    assertThat(withCommands).containsExactlyInAnyOrderElementsOf(GuideReader.DOCUMENTS);
  }

  private static int run(List<String> words) throws Exception {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(System.out::println);
    }
    return process.waitFor();
  }
}
