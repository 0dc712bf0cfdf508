package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every block of commands in the documents runs as it is written. A reader's machine is a network
 * of its own, in which the hosts of the documents are this one and all ports are free. {@code
 * deploy/verify --campaign guides} types what takes half a minute too.
 */
final class GuidesIT {
  private static final Path FOLDER = Path.of("target", "guides").toAbsolutePath();

  /** Who read at the same time, each some of the documents. */
  private static final int READERS = 2;

  /** What a reader or a program in its place says when something is wrong. */
  private static final Predicate<String> FAILURE =
      Pattern.compile(": FAILED with|^Exception in thread|^curl: ").asPredicate();

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
        .isEmpty();
    List<CompletableFuture<List<String>>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      Path folder = Files.createDirectories(FOLDER.resolve("reader-" + i));
      List<String> documents = new ArrayList<>();
      for (int d = i; d < GuideReader.DOCUMENTS.size(); d += READERS) {
        documents.add(GuideReader.DOCUMENTS.get(d));
      }
      List<String> words = reader(folder, documents);
      readers.add(
          CompletableFuture.supplyAsync(
              () -> run(words), task -> new Thread(task, "reader").start()));
    }
    assertThat(readers.stream().flatMap(each -> each.join().stream()))
        .as("what failed; its words are printed above")
        .isEmpty();
  }

  /** How a reader of these documents is started, on a machine of its own. */
  private static List<String> reader(Path folder, List<String> documents) throws IOException {
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "127.0.0.1 localhost db kafka MONITOR monitor\n");
    List<String> words =
        new ArrayList<>(List.of("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"));
    words.addAll(List.of("--mount-proc", "/bin/sh", "-c", ENTER, hosts.toString()));
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.add("-D" + GuideReader.ALL + "=" + Boolean.getBoolean(GuideReader.ALL));
    words.addAll(List.of("-Xmx600m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(List.of(GuideReader.class.getName(), folder.resolve("machine").toString()));
    words.addAll(documents);
    return words;
  }

  /** The lines that tell of a failure; none if it ended well. */
  private static List<String> run(List<String> words) {
    List<String> failures = new ArrayList<>();
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
        lines.lines().peek(System.out::println).filter(FAILURE).forEach(failures::add);
      }
      int status = process.waitFor();
      if (status != 0) {
        failures.add("ended with " + status);
      }
      return failures;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
