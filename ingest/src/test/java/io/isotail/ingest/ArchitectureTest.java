package io.isotail.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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

  @Test
  void captureKnowsNoJdbc() {
    classes()
        .that()
        .resideInAPackage("io.isotail.ingest.capture..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.isotail.ingest.capture..",
            "io.isotail.ingest.sql..",
            "io.isotail.ingest.event..",
            "io.isotail.ingest.emit..",
            "io.isotail.incremental.record..",
            "java.lang..",
            "java.util..",
            "java.time..",
            "java.security..",
            "org.slf4j..",
            "org.jspecify..",
            "")
        .because(
            "what statements mean does not depend on who carries them, a JDBC driver or a proxy of"
                + " the wire protocol; let capture.Server ask what only the database knows,"
                + " capture.Row read what a result holds, and implement both in the carrier")
        .check(CLASSES);
  }
}
