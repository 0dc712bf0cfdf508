package io.isotail.ingest;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
final class ArchitectureTest {
  private static final String ROOT = "io.isotail.ingest.";

  /** The house of each package, as the module's README draws them. */
  private static final Map<String, String> HOUSES =
      Map.ofEntries(
          Map.entry("jdbc", "captures"),
          Map.entry("proxy", "captures"),
          Map.entry("postgres", "captures"),
          Map.entry("capture", "captures"),
          Map.entry("sql", "captures"),
          Map.entry("emit", "captures"),
          Map.entry("event", "captures"),
          Map.entry("format", "files"),
          Map.entry("store", "traffic"),
          Map.entry("workload", "traffic"),
          Map.entry("shop", "traffic"),
          Map.entry("generate", "traffic"),
          Map.entry("sandbox", "traffic"));

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
            "a stage must be understood, tested and changed without those behind it; hand over what"
                + " a later stage needs as an argument, or move what two packages share below both")
        .check(CLASSES);
  }

  @Test
  void housesKnowNothingOfEachOther() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return type.getPackageName().startsWith(ROOT)
                    ? SliceIdentifier.of(house(type))
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "the houses of ingest";
              }
            })
        .should()
        .notDependOnEachOther()
        .because(
            "what captures ships in the driver's jar, files are read without a database, and traffic"
                + " tests both from outside; let a test or monitor bring them together")
        .check(CLASSES);
  }

  private static String house(JavaClass type) {
    String name = type.getPackageName();
    String house = HOUSES.get(name.substring(ROOT.length()).split("\\.")[0]);
    if (house == null) {
      throw new AssertionError(
          "package %s is in no house; add it to HOUSES and to README.md".formatted(name));
    }
    return house;
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
