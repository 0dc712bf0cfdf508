package io.isotail.ingest;

import io.isotail.incremental.StepsInReadme;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the module's README and its guide say of the code. */
final class ReadmeTest {
  @Test
  void eachClassThatADocumentNamesExists() throws IOException {
    StepsInReadme.checkNames(Path.of(""), "io.isotail.ingest", 20);
  }
}
