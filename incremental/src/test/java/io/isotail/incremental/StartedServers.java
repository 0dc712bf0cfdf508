package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * What the tests of a module start. A test is named by it: {@code *IT} starts a server, a browser
 * or another process, {@code *Test} does not. Calls are followed through the tests' own code, not
 * through a command line.
 */
public final class StartedServers {
  private final JavaClasses tests;
  private final Set<Class<?>> servers;
  private final Set<Class<?>> harmless;

  /**
   * Reads the tests.
   *
   * @param servers classes whose methods {@code start…} start a server or a process
   * @param harmless classes of the tests that start a process which ends at once
   */
  public StartedServers(String rootPackage, Set<Class<?>> servers, Set<Class<?>> harmless) {
    this.tests =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages(rootPackage);
    this.servers = servers;
    this.harmless = harmless;
  }

  /** Fails where a {@code *Test} starts a server. */
  public void check() {
    int found = 0;
    for (JavaClass test : tests) {
      if (test.getSimpleName().endsWith("Test")) {
        found++;
        assertThat(startedBy(test.getName()))
            .as(
                "what %s starts; a test that starts a server, a browser or another process is named"
                    + " *IT, so that whoever runs *Test waits for none",
                test.getName())
            .isEmpty();
      }
    }
    assertThat(found).isGreaterThan(10);
  }

  /** The servers that methods of a test start, or methods of other tests that these call. */
  public Set<String> startedBy(String test) {
    Set<String> started = new HashSet<>();
    Set<JavaCodeUnit> seen = new HashSet<>();
    Deque<JavaCodeUnit> open = new ArrayDeque<>();
    for (JavaClass owner = tests.get(test); owner != null; owner = parent(owner)) {
      open.addAll(owner.getCodeUnits());
    }
    while (!open.isEmpty()) {
      JavaCodeUnit method = open.pop();
      if (!seen.add(method) || harmless.stream().anyMatch(method.getOwner()::isEquivalentTo)) {
        continue;
      }
      for (JavaAccess<?> call : method.getAccessesFromSelf()) {
        if (call.getName().startsWith("start")
            && servers.stream().anyMatch(call.getTargetOwner()::isEquivalentTo)) {
          started.add(call.getTargetOwner().getSimpleName());
        } else if (call.getTarget().resolveMember().orElse(null) instanceof JavaCodeUnit next
            && tests.contain(next.getOwner().getName())) {
          open.add(next);
        }
      }
    }
    return started;
  }

  private JavaClass parent(JavaClass of) {
    return of.getRawSuperclass().filter(p -> tests.contain(p.getName())).orElse(null);
  }
}
