package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class DriverVersionTest {
  @Test
  void theDriverHasTheVersionOfThePom() throws IOException {
    String version =
        Pattern.compile("<parent>.*?<version>([^<]+)</version>", Pattern.DOTALL)
            .matcher(Files.readString(Path.of("pom.xml")))
            .results()
            .map((MatchResult parent) -> parent.group(1))
            .findFirst()
            .orElseThrow();
    IsotailDriver driver = new IsotailDriver();
    assertThat(version).startsWith(driver.getMajorVersion() + "." + driver.getMinorVersion() + ".");
  }

  @Test
  void aVersionBeginsWithTwoNumbers() {
    assertThat(DriverVersion.of("12.34.5-SNAPSHOT")).isEqualTo(new DriverVersion(12, 34));
    assertThatThrownBy(() -> DriverVersion.of("${project.version}"))
        .hasMessageContaining("found the version '${project.version}'");
  }
}
