package io.isotail.monitor;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.isotail.incremental.Checker;
import org.junit.jupiter.api.Test;

/** Which package may know which. */
final class ArchitectureTest {
  private static final String ROOT = "io.isotail.monitor";

  /** With those of the modules below. */
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT, "io.isotail.ingest", "io.isotail.incremental");

  private static final JavaClasses CLASSES = ALL.that(resideInAPackage(ROOT + ".."));

  @Test
  void arrowsBetweenPackagesGoOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
        .layer("cli")
        .definedBy(ROOT + ".cli..")
        .layer("offline")
        .definedBy(ROOT + ".offline..")
        .layer("explore")
        .definedBy(ROOT + ".explore..")
        .layer("forecast")
        .definedBy(ROOT + ".forecast..")
        .layer("trial")
        .definedBy(ROOT + ".trial..")
        .layer("resolve")
        .definedBy(ROOT + ".resolve..")
        .layer("doctor")
        .definedBy(ROOT + ".doctor..")
        .layer("rules")
        .definedBy(ROOT + ".rules..")
        .layer("tail")
        .definedBy(ROOT + ".tail..")
        .layer("service")
        .definedBy(ROOT + ".service..")
        .layer("api")
        .definedBy(ROOT + ".api..")
        .layer("pipeline")
        .definedBy(ROOT + ".pipeline..")
        .layer("otlp")
        .definedBy(ROOT + ".otlp..")
        .layer("handover")
        .definedBy(ROOT + ".handover..")
        .layer("fleet")
        .definedBy(ROOT + ".fleet..")
        .layer("partition")
        .definedBy(ROOT + ".partition..")
        .layer("publish")
        .definedBy(ROOT + ".publish..")
        .layer("kafka")
        .definedBy(ROOT + ".kafka..")
        .layer("metrics")
        .definedBy(ROOT + ".metrics..")
        .layer("store")
        .definedBy(ROOT + ".store..")
        .layer("status")
        .definedBy(ROOT + ".status..")
        .layer("render")
        .definedBy(ROOT + ".render..")
        .layer("terminal")
        .definedBy(ROOT + ".terminal..")
        .layer("reach")
        .definedBy(ROOT + ".reach..")
        .layer("config")
        .definedBy(ROOT + ".config..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("offline")
        .mayOnlyBeAccessedByLayers("cli", "explore")
        .whereLayer("explore")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("forecast")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("trial")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("resolve")
        .mayOnlyBeAccessedByLayers("cli", "explore", "offline")
        .whereLayer("doctor")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("rules")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("tail")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("service")
        .mayOnlyBeAccessedByLayers("cli", "trial")
        .whereLayer("api")
        .mayOnlyBeAccessedByLayers("service")
        .whereLayer("pipeline")
        .mayOnlyBeAccessedByLayers("service")
        .whereLayer("otlp")
        .mayOnlyBeAccessedByLayers("service")
        .whereLayer("handover")
        .mayOnlyBeAccessedByLayers("pipeline")
        .whereLayer("fleet")
        .mayOnlyBeAccessedByLayers("handover", "pipeline")
        .whereLayer("partition")
        .mayOnlyBeAccessedByLayers("handover", "pipeline")
        .whereLayer("publish")
        .mayOnlyBeAccessedByLayers("service", "otlp", "pipeline", "handover", "partition")
        .whereLayer("kafka")
        .mayOnlyBeAccessedByLayers("cli", "pipeline", "handover", "fleet", "partition", "publish")
        .whereLayer("metrics")
        .mayOnlyBeAccessedByLayers(
            "service", "api", "otlp", "pipeline", "handover", "partition", "publish")
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers(
            "trial", "service", "api", "pipeline", "handover", "publish", "metrics")
        .whereLayer("status")
        .mayOnlyBeAccessedByLayers(
            "trial", "service", "api", "pipeline", "fleet", "partition", "metrics", "render")
        .whereLayer("render")
        .mayOnlyBeAccessedByLayers(
            "explore", "offline", "forecast", "trial", "api", "otlp", "fleet", "publish")
        .whereLayer("terminal")
        .mayOnlyBeAccessedByLayers(
            "cli", "explore", "offline", "forecast", "trial", "resolve", "render")
        .whereLayer("reach")
        .mayOnlyBeAccessedByLayers(
            "cli", "offline", "trial", "doctor", "otlp", "pipeline", "publish", "kafka")
        .whereLayer("config")
        .mayOnlyBeAccessedByLayers(
            "cli",
            "explore",
            "offline",
            "trial",
            "rules",
            "service",
            "api",
            "otlp",
            "pipeline",
            "handover",
            "fleet",
            "partition",
            "publish",
            "kafka")
        .because(
            "a package must be readable without those above it; move what both need into a package"
                + " below them, or hand it over as a function")
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices()
        .matching(ROOT + ".(*)..")
        .should()
        .beFreeOfCycles()
        .because(
            "two packages that need each other are one; move what both need into a third below"
                + " them, or let the lower one declare an interface that the upper one implements")
        .check(CLASSES);
  }

  @Test
  void onlyThePipelineCallsACheckerOrKafkaInTheService() {
    noClasses()
        .that()
        .resideInAnyPackage(
            ROOT + ".api..", ROOT + ".metrics..", ROOT + ".store..", ROOT + ".service..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka..")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Checker.class)
        .because(
            "a checker belongs to the pipeline's thread, and nothing that answers a request may wait"
                + " for a broker; read the status board instead")
        .check(CLASSES);
  }

  @Test
  void onlyTheApiKnowsVertx() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".api..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.vertx..")
        .because("event loops must stay behind the HTTP API; add a route there")
        .check(CLASSES);
  }

  @Test
  void aFileIsCheckedWithoutKafkaVertxAndTheService() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".offline..")
        .should()
        .transitivelyDependOnClassesThat()
        .resideInAnyPackage(
            "io.vertx..", "org.apache.kafka..", ROOT + ".service..", ROOT + ".pipeline..")
        .because(
            "who checks a file has neither a broker nor a page; a command that needs one belongs"
                + " into cli")
        .check(ALL);
  }
}
