package io.isotail.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.api.HttpApi;
import io.isotail.monitor.service.MonitorService;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A test is named by what it starts: {@code *IT} starts a server, a browser or another process,
 * {@code *Test} does not. Calls are followed through the tests' own code, not through a command
 * line.
 */
final class TestNamesTest {
  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
          .importPackages("io.isotail.monitor");

  private static final Set<Class<?>> SERVERS =
      Set.of(
          BrokerProcess.class,
          EmbeddedDatabase.class,
          EmbeddedKafka.class,
          HttpApi.class,
          MonitorService.class,
          ProcessBuilder.class);

  @Test
  void aTestThatStartsAServerIsCalledIt() {
    int tests = 0;
    for (JavaClass test : TESTS) {
      if (test.getSimpleName().endsWith("Test")) {
        tests++;
        assertThat(started(test))
            .as(
                "what %s starts; a test that starts a server, a browser or another process is named"
                    + " *IT, so that whoever runs *Test waits for none",
                test.getName())
            .isEmpty();
      }
    }
    assertThat(tests).isGreaterThan(10);
    assertThat(started(TESTS.get("io.isotail.monitor.page.PageIT"))).contains("HttpApi");
    assertThat(started(TESTS.get("io.isotail.monitor.service.FleetIT"))).contains("EmbeddedKafka");
  }

  /** The servers that methods of the test start, or methods of other tests that these call. */
  private static Set<String> started(JavaClass test) {
    Set<String> started = new HashSet<>();
    Set<JavaCodeUnit> seen = new HashSet<>();
    Deque<JavaCodeUnit> open = new ArrayDeque<>();
    for (JavaClass owner = test; owner != null; owner = parent(owner)) {
      open.addAll(owner.getCodeUnits());
    }
    while (!open.isEmpty()) {
      JavaCodeUnit method = open.pop();
      // keytool makes a certificate and ends.
      if (!seen.add(method) || method.getOwner().isEquivalentTo(SelfSigned.class)) {
        continue;
      }
      for (JavaAccess<?> call : method.getAccessesFromSelf()) {
        if (call.getName().startsWith("start")
            && SERVERS.stream().anyMatch(call.getTargetOwner()::isEquivalentTo)) {
          started.add(call.getTargetOwner().getSimpleName());
        } else if (call.getTarget().resolveMember().orElse(null) instanceof JavaCodeUnit next
            && TESTS.contain(next.getOwner().getName())) {
          open.add(next);
        }
      }
    }
    return started;
  }

  private static JavaClass parent(JavaClass of) {
    return of.getRawSuperclass().filter(p -> TESTS.contain(p.getName())).orElse(null);
  }
}
