package io.isotail.ingest;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.isotail.ingest");

  @Test
  void packagesDependOnEachOtherInOneDirection() {
    slices()
        .matching("io.isotail.ingest.(*)..")
        .should()
        .beFreeOfCycles()
        .because(
            "capture, formats and traffic are separate houses; hand over what a later stage needs"
                + " as an argument, or move what two packages share below both")
        .check(CLASSES);
  }
}
