package io.isotail.junit;

import io.isotail.junit.TestResult.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks where each history stands before a test, and fails the test for what has happened since.
 * {@link CheckIsolation} registers it; of a class that registers it by itself the annotation's
 * defaults are asked. Runs on JUnit 5.14 and 6.
 *
 * <p>It looks at what happened when the test's store is closed: after all that other extensions do
 * at its end, such as committing its transaction or rolling it back.
 */
public final class CheckIsolationExtension implements BeforeEachCallback {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(CheckIsolationExtension.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    Asked.Check asked = Asked.check(context);
    begin(
        context,
        asked == null
            ? Asked.check(
                Objects.requireNonNull(Defaults.class.getAnnotation(CheckIsolation.class)))
            : asked);
  }

  static void begin(ExtensionContext context, Asked.Check asked) {
    SuiteReport suite = suite(context);
    TestRun test = TestRun.begin(name(context));
    for (CheckedHistory history : Histories.all()) {
      test.marks().put(history, history.mark(asked.promise()));
    }
    AutoCloseable end = () -> end(test, asked, suite, context);
    context.getStore(OWN).put(TestRun.class, end);
  }

  private static void end(
      TestRun test, Asked.Check asked, SuiteReport suite, ExtensionContext context) {
    test.end();
    List<String> failures = new ArrayList<>();
    TestResult result = new TestResult(test.name(), asked.promise());
    for (CheckedHistory history : Histories.all()) {
      Mark mark = test.marks().get(history);
      if (!test.used(history) && !history.wasUsedByStrangers(mark)) {
        continue;
      }
      Happened happened = history.since(mark, asked.promise());
      result.add(happened);
      if (!happened.findings().isEmpty()) {
        failures.add(FailureText.of(happened, asked.promise(), test.besideOn(history)));
        happened.findings().forEach(f -> result.violations().add(new Violation(f)));
      }
    }
    Histories.forgetUnreachable();
    List<String> files = suite.add(result);
    context.publishReportEntry("isotail", result.summary());
    if (!failures.isEmpty() && !asked.reportOnly()) {
      files.forEach(file -> failures.add("isotail explain " + file));
      throw new AssertionError(
          String.join(System.lineSeparator() + System.lineSeparator(), failures));
    }
    if (asked.failOnUndecided() && !result.isDecided()) {
      throw new AssertionError(result.summary());
    }
  }

  private static String name(ExtensionContext context) {
    String of = context.getRequiredTestClass().getSimpleName();
    String method = context.getRequiredTestMethod().getName();
    String shown = context.getDisplayName();
    return shown.startsWith(method) ? of + "." + method : of + "." + method + " " + shown;
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
