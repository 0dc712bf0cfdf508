package io.isotail.dashboards;

import io.isotail.monitor.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The files under test, and the programs that judge them. */
final class Repository {
  /** Root of the repository: tests run in the module's folder. */
  static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  static final Path DASHBOARDS = ROOT.resolve("dashboards");

  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  private Repository() {}

  static String read(String path) {
    try {
      return Files.readString(ROOT.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a command of isotail's prints, which must succeed. */
  static String printed(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err, true), args);
    if (status != 0) {
      throw new IllegalStateException(status + ": " + err);
    }
    return out.toString();
  }

  /** The version of the build. */
  static String version() {
    Matcher version = VERSION.matcher(read("dashboards/pom.xml"));
    if (!version.find()) {
      throw new IllegalStateException("dashboards/pom.xml has no version");
    }
    return version.group(1);
  }

  /**
   * What a program says; skips the test when it is not installed, except under CI.
   *
   * @param debianPackage what to install to have it
   */
  static Said run(String debianPackage, Path folder, String... command)
      throws IOException, InterruptedException {
    requireInstalled(command[0], debianPackage);
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException(command[0] + " did not end");
    }
    return new Said(process.exitValue(), words);
  }

  static boolean isInstalled(String program) {
    return Files.isExecutable(Path.of("/usr/bin", program));
  }

  /** Skips the test when a program is not installed, except under CI. */
  static void requireInstalled(String program, String debianPackage) {
    require(
        isInstalled(program),
        program + " is not installed; install Debian's package " + debianPackage);
  }

  /** Skips the test without a thing that it needs, except under CI. */
  static void require(boolean there, String missing) {
    if (!there && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException(missing);
    }
    Assumptions.assumeTrue(there, missing);
  }

  /** Makes a folder anew. Links in it are removed, not what they lead to. */
  static void empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(folder);
  }

  record Said(int status, String words) {}
}
