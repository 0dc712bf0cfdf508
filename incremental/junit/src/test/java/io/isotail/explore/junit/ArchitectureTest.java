package io.isotail.explore.junit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What the module may use of JUnit. */
final class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.isotail.explore.junit");

  @Test
  void theStoreIsUsedAsJUnit5HasIt() {
    noClasses()
        .should()
        .callMethod(ExtensionContext.Store.class, "computeIfAbsent", Object.class, Function.class)
        .orShould()
        .callMethod(
            ExtensionContext.Store.class,
            "computeIfAbsent",
            Object.class,
            Function.class,
            Class.class)
        .because("JUnit 5.14 has no such method; use getOrComputeIfAbsent, which 5.14 and 6 have")
        .check(MAIN);
  }
}
