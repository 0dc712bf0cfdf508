package io.isotail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.TestExecutionListener;
import org.postgresql.Driver;
import org.slf4j.Logger;

/** The jar and nothing else but what its users have, in a Java process of its own. */
final class JarIT {
  private final Path jar = Path.of(System.getProperty("isotail.junit.jar"));

  @Test
  void holdsNothingThatCouldCollide() throws Exception {
    try (JarFile file = new JarFile(jar.toFile())) {
      List<String> foreign =
          file.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class") && !name.startsWith("io/isotail/"))
              .toList();
      assertThat(foreign).isEmpty();
      assertThat(
              file.stream().map(JarEntry::getName).filter(name -> name.matches(".*/services/.+")))
          .containsExactlyInAnyOrder(
              "META-INF/services/" + Extension.class.getName(),
              "META-INF/services/" + TestExecutionListener.class.getName());
      assertThat(file.getEntry("META-INF/LICENSE")).isNotNull();
      assertThat(file.getEntry("META-INF/NOTICE")).isNotNull();
    }
  }

  @Test
  void findsALostUpdateByItself(@TempDir Path reports) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      String classPath =
          Stream.concat(
                  Stream.of(jar.toString()),
                  Stream.of(Driver.class, Logger.class, JarProgram.class).map(JarIT::place))
              .collect(Collectors.joining(File.pathSeparator));
      Process program =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Disotail.reports=" + reports,
                  "-cp",
                  classPath,
                  JarProgram.class.getName(),
                  database.jdbcUrl())
              .redirectErrorStream(true)
              .start();
      String output = new String(program.getInputStream().readAllBytes());
      assertThat(program.waitFor()).as(output).isZero();
      assertThat(output).contains("An update was lost on accounts", "add FOR UPDATE to");
      try (Stream<Path> files = Files.list(reports)) {
        assertThat(files.map(file -> String.valueOf(file.getFileName())))
            .hasSize(3)
            .anyMatch(name -> name.startsWith("report-") && name.endsWith(".html"))
            .anyMatch(name -> name.startsWith("lost-update-"));
      }
    }
  }

  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
