package io.isotail.junit;

import io.isotail.junit.TestResult.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Marks where each history stands before a test, and fails the test for what has happened since.
 * {@link CheckIsolation} registers it. Runs on JUnit 5.14 and 6.
 */
public final class CheckIsolationExtension implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(CheckIsolationExtension.class);

  /** The tests that run now, each with those that ran beside it. */
  private static final Map<Running, Set<String>> RUNNING = new ConcurrentHashMap<>();

  /** A test that runs, by its identity; and where the histories stood before it. */
  private static final class Running {
    private final String name;
    private final Map<CheckedHistory, Mark> marks = new HashMap<>();

    Running(String name) {
      this.name = name;
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    CheckIsolation asked = asked(context);
    suite(context);
    Running test = new Running(name(context));
    for (CheckedHistory history : Histories.all()) {
      test.marks.put(history, history.mark(asked.promise()));
    }
    RUNNING.put(test, ConcurrentHashMap.newKeySet());
    RUNNING.forEach(
        (other, beside) -> {
          if (other != test) {
            beside.add(test.name);
            besideOf(test).add(other.name);
          }
        });
    context.getStore(OWN).put(Running.class, test);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Running test = context.getStore(OWN).remove(Running.class, Running.class);
    if (test == null) {
      return; // it failed before this extension was asked
    }
    List<String> beside = besideOf(test).stream().sorted().toList();
    RUNNING.remove(test);
    CheckIsolation asked = asked(context);
    SuiteReport suite = suite(context);
    List<String> failures = new ArrayList<>();
    TestResult result = new TestResult(test.name, asked.promise());
    for (CheckedHistory history : Histories.all()) {
      Happened happened = history.since(test.marks.get(history), asked.promise());
      result.add(happened);
      if (!happened.findings().isEmpty()) {
        failures.add(FailureText.of(happened, asked.promise(), beside));
        happened.findings().forEach(f -> result.violations().add(new Violation(f)));
      }
    }
    List<String> files = suite.add(result);
    context.publishReportEntry("isotail", result.summary());
    if (!failures.isEmpty()) {
      files.forEach(file -> failures.add("isotail explain " + file));
      throw new AssertionError(
          String.join(System.lineSeparator() + System.lineSeparator(), failures));
    }
    if (asked.failOnUndecided() && !result.isDecided()) {
      throw new AssertionError(result.summary());
    }
  }

  private static Set<String> besideOf(Running test) {
    return RUNNING.getOrDefault(test, Set.of());
  }

  private static String name(ExtensionContext context) {
    String of = context.getRequiredTestClass().getSimpleName();
    String method = context.getRequiredTestMethod().getName();
    String shown = context.getDisplayName();
    return shown.startsWith(method) ? of + "." + method : of + "." + method + " " + shown;
  }

  private static CheckIsolation asked(ExtensionContext context) {
    Optional<CheckIsolation> found =
        AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), CheckIsolation.class);
    for (Class<?> type = context.getRequiredTestClass();
        found.isEmpty() && type != null;
        type = type.getEnclosingClass()) {
      found = AnnotationSupport.findAnnotation(type, CheckIsolation.class);
    }
    return found.orElseGet(CheckIsolationExtension::defaults);
  }

  /** Of a class that registers the extension by itself. */
  private static CheckIsolation defaults() {
    return Objects.requireNonNull(Defaults.class.getAnnotation(CheckIsolation.class));
  }

  @CheckIsolation
  private static final class Defaults {}

  @SuppressWarnings("deprecation") // JUnit 5 has no computeIfAbsent, which is to replace it
  private static SuiteReport suite(ExtensionContext context) {
    return Objects.requireNonNull(
        context
            .getRoot()
            .getStore(OWN)
            .getOrComputeIfAbsent(
                SuiteReport.class, key -> SuiteReport.begin(), SuiteReport.class));
  }
}
