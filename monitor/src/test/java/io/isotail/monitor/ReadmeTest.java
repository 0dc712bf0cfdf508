package io.isotail.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.StepsInReadme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the module's README says of the code. */
final class ReadmeTest {
  @Test
  void eachStepIsAMethodThatExists() throws IOException {
    assertThat(StepsInReadme.check(Path.of("README.md"), "io.isotail.monitor")).isEqualTo(6);
  }

  @Test
  void eachPackageStandsInTheTableOfTheFirstScreen() throws IOException {
    String firstScreen = Files.readString(Path.of("README.md")).split("\n## ")[0];
    List<String> named =
        Pattern.compile("^\\| `([a-z]+)` \\|", Pattern.MULTILINE)
            .matcher(firstScreen)
            .results()
            .map(row -> row.group(1))
            .toList();
    try (Stream<Path> found = Files.walk(Path.of("src/main/java/io/isotail/monitor"))) {
      assertThat(named)
          .as("a row for each package, in the order of the flow")
          .containsExactlyInAnyOrderElementsOf(
              found
                  .filter(file -> file.endsWith("package-info.java"))
                  .map(file -> String.valueOf(file.getParent().getFileName()))
                  .toList());
    }
  }

  @Test
  void eachClassThatADocumentNamesExists() throws IOException {
    StepsInReadme.checkNames(Path.of(""), "io.isotail.monitor", 5);
  }
}
