package io.isotail.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.StepsInReadme;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the module's README says of the code. */
final class ReadmeTest {
  @Test
  void eachStepIsAMethodThatExists() throws IOException {
    assertThat(StepsInReadme.check(Path.of("README.md"), "io.isotail.monitor")).isEqualTo(6);
  }
}
