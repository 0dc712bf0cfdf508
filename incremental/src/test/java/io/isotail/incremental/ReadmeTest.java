package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the module's README says of the code. */
final class ReadmeTest {
  @Test
  void eachStepIsAMethodThatExists() throws IOException {
    assertThat(StepsInReadme.check(Path.of("README.md"), "io.isotail.incremental")).isEqualTo(9);
  }

  @Test
  void eachClassThatADocumentNamesExists() throws IOException {
    StepsInReadme.checkNames(Path.of(""), "io.isotail.incremental", 25);
  }
}
