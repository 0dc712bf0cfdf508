package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;
import org.slf4j.Logger;

/** A project of its own with the jar, as {@code monitor/guide/in-your-tests.md} tells it. */
final class MavenProjectIT {
  private final String jar = System.getProperty("isotail.junit.jar");

  @TempDir private Path project;

  @Test
  void theTestThatLosesAnUpdateFailsAndTheOtherOnePasses() throws Exception {
    Path example =
        Path.of(Objects.requireNonNull(MavenProjectIT.class.getResource("/maven-example")).toURI());
    try (Stream<Path> files = Files.walk(example)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = project.resolve(example.relativize(file).toString());
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

  /**
   * The jar that was just built stands in for the one of the local repository, which would bring
   * the logging interface.
   */
  private String withVersions(String text) throws URISyntaxException {
    return text.replace(
            "<version>VERSION</version>\n      <scope>test</scope>",
            """
            <version>1</version>
                  <scope>system</scope>
                  <systemPath>%s</systemPath>
                </dependency>
                <dependency>
                  <groupId>org.slf4j</groupId>
                  <artifactId>slf4j-api</artifactId>
                  <version>%s</version>
                  <scope>test</scope>"""
                .formatted(jar, version(Logger.class)))
        .replace("JUNIT", version(Test.class))
        .replace("DRIVER", version(Driver.class));
  }

  /** Of the library that a class is from: the name of its folder in the local repository. */
  private static String version(Class<?> type) throws URISyntaxException {
    Path library = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    return String.valueOf(Objects.requireNonNull(library.getParent()).getFileName());
  }
}
