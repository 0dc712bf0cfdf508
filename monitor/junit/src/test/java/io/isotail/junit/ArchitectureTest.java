package io.isotail.junit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the module may know. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.isotail.junit");

  @Test
  void onlyItsOwnPackageKnowsSpring() {
    noClasses()
        .that()
        .resideInAPackage("io.isotail.junit")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .because("a test suite without Spring has none of its classes")
        .check(CLASSES);
  }

  @Test
  void ofTheMonitorOnlyTheWordsAreUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka..",
            "io.vertx..",
            "io.isotail.monitor.service..",
            "io.isotail.monitor.pipeline..")
        .because("there is no broker and no service in a test, and the jar holds neither")
        .check(CLASSES);
  }
}
