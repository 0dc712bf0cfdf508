package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.util.DriverInfo;

/** A project of its own with the jar, as {@code monitor/guide/in-your-tests.md} tells it. */
final class MavenProjectIT {
  private static final Path EXAMPLE = Path.of("src", "test", "resources", "maven-example");
  private final String jar = System.getProperty("isotail.junit.jar");

  @TempDir private Path project;

  @Test
  void theTestThatLosesAnUpdateFailsAndTheOtherOnePasses() throws Exception {
    try (Stream<Path> files = Files.walk(EXAMPLE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = project.resolve(EXAMPLE.relativize(file).toString());
        Files.createDirectories(to.getParent());
        Files.writeString(to, withVersions(Files.readString(file)));
      }
    }
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      ProcessBuilder maven =
          new ProcessBuilder("mvn", "-B", "test")
              .directory(project.toFile())
              .redirectErrorStream(true);
      maven.environment().put("DATABASE_URL", database.jdbcUrl());
      Process run = maven.start();
      String output = new String(run.getInputStream().readAllBytes());
      assertThat(run.waitFor()).as(output).isNotZero();
      assertThat(output)
          .contains("Tests run: 2, Failures: 1, Errors: 0")
          .contains("An update was lost on stock", "add FOR UPDATE to `SELECT amount FROM stock")
          .contains("isotail: 2 tests, 1 with violations, 0 that captured nothing");
      try (Stream<Path> files = Files.list(project.resolve("target").resolve("isotail"))) {
        assertThat(files.map(file -> String.valueOf(file.getFileName())))
            .anyMatch(name -> name.endsWith(".html"))
            .anyMatch(name -> name.startsWith("lost-update-"));
      }
    }
  }

  /** The jar that was just built stands in for the one of the local repository. */
  private String withVersions(String text) throws IOException {
    String junit = Test.class.getPackage().getImplementationVersion();
    return text.replace(
            "<version>VERSION</version>\n      <scope>test</scope>",
            "<version>1</version>\n      <scope>system</scope>\n      <systemPath>%s</systemPath>"
                .formatted(jar))
        .replace("JUNIT", junit)
        .replace("DRIVER", DriverInfo.DRIVER_VERSION);
  }
}
