package io.isotail.incremental;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The checker is a function of its input: same records, same anomalies, on any machine. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.isotail.incremental");

  @Test
  void theCheckerDependsOnNothingButCollections() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.isotail.incremental..",
            "java.lang..",
            "java.util..",
            "java.nio.charset..",
            "java.security..",
            "java.math..",
            "it.unimi.dsi.fastutil..",
            "org.jspecify..",
            "org.sat4j..",
            "com.google.errorprone.annotations..",
            "")
        .because(
            "the checker must run the same in a file check, a monitor and a test; what needs Kafka,"
                + " HTTP, metrics, files or a network belongs to ingest or monitor, which hand records"
                + " in and take anomalies out")
        .check(CLASSES);
  }

  @Test
  void theCheckerNeitherReadsAClockNorDrawsRandomNumbersNorStartsThreads() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .orShould()
        .callMethod(System.class, "getProperty", String.class)
        .orShould()
        .callMethod(System.class, "identityHashCode", Object.class)
        .orShould()
        .callMethod(Math.class, "random")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(
            java.util.Random.class,
            java.util.SplittableRandom.class,
            java.util.UUID.class,
            java.security.SecureRandom.class,
            Thread.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.concurrent..", "java.time..", "java.util.random..")
        .because(
            "the same log must give the same anomalies anywhere, at any time; take time from the"
                + " records, and seeds as arguments")
        .check(CLASSES);
  }

  @Test
  void packagesDependOnEachOtherInOneDirection() {
    slices()
        .matching("io.isotail.incremental.(*)..")
        .should()
        .beFreeOfCycles()
        .because(
            "a stage must be understood, tested and changed without those behind it; hand what a"
                + " later stage needs to it as an argument, or move what both share below both")
        .check(CLASSES);
  }

  @Test
  void theGraphKnowsNoTransaction() {
    classes()
        .that()
        .resideInAPackage("io.isotail.incremental.digraph")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.isotail.incremental.digraph",
            "io.isotail.incremental.snapshot",
            "java..",
            "org.jspecify..")
        .because(
            "one order serves the weak and the strong levels; say in a subclass what a node is")
        .check(CLASSES);
  }

  /** What refers to each other as the parts of one linked structure do. */
  private static final Set<String> PARTS_OF_A_GRAPH =
      Set.of(
          "Dependency",
          "Event",
          "KeyLists",
          "KeyVersions",
          "ListAdjacency",
          "ReadEdge",
          "TimePoint",
          "TransactionNode",
          "VersionSlot");

  @Test
  void whatWorksOnAGraphStandsInLayers() {
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getName().replaceAll("^.*\\.|\\$.*$", "");
                return !type.getPackageName().endsWith(".polygraph")
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(PARTS_OF_A_GRAPH.contains(name) ? "parts" : name);
              }

              @Override
              public String getDescription() {
                return "classes of polygraph, the parts of a graph as one";
              }
            })
        .should()
        .beFreeOfCycles()
        .because(
            "guess, search, time, lists and retirement can only be read one by one if each knows"
                + " what it works on and not who calls it; pass what it needs to its constructor")
        .check(CLASSES);
  }

  private static final ArchRule JUDGE_IS_INDEPENDENT =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.isotail.incremental.judge..",
              "io.isotail.incremental.anomaly",
              "io.isotail.incremental.record",
              "io.isotail.incremental.level",
              "java..",
              "org.jspecify..",
              "")
          .because(
              "an anomaly is published only if the judge confirms it, which is worth something as"
                  + " long as the judge follows the definitions and not the kernel; what it needs it"
                  + " works out from the capsule by itself");

  @Test
  void theJudgeSharesNothingWithTheKernel() {
    JUDGE_IS_INDEPENDENT.check(CLASSES.that(resideInAPackage("io.isotail.incremental.judge..")));
  }

  @Test
  void theSecondOpinionSharesNothingWithTheJudge() {
    classes()
        .that()
        .resideInAPackage("io.isotail.incremental.judge.second")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.isotail.incremental.judge.second",
            "io.isotail.incremental.anomaly",
            "io.isotail.incremental.record",
            "io.isotail.incremental.level",
            "java..",
            "org.jspecify..",
            "")
        .because(
            "what both read alike by one code is a mistake that neither notices; it reads the"
                + " history by itself, from the vocabulary alone")
        .check(CLASSES);
  }

  /**
   * What a judge must not be: the witness stage runs on the kernel's own transactions and graphs.
   */
  @Test
  void aJudgeThatRunsTheKernelWouldBeNoticed() {
    assertThat(
            JUDGE_IS_INDEPENDENT
                .evaluate(CLASSES.that(resideInAPackage("io.isotail.incremental.witness")))
                .hasViolation())
        .isTrue();
  }
}
