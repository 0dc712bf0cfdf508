package io.isotail.junit;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes forecasts when a test is over, and leaves them all at the end of the run. {@link
 * ForecastIsolation} registers it. Runs on JUnit 5.14 and 6.
 */
public final class ForecastIsolationExtension implements BeforeEachCallback {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(ForecastIsolationExtension.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    Asked.Forecasts asked = Asked.forecasts(context);
    if (asked == null) {
      throw new IllegalStateException("the extension is registered by @ForecastIsolation alone");
    }
    begin(context, asked);
  }

  static void begin(ExtensionContext context, Asked.Forecasts asked) {
    ForecastHistory.begin(asked.prove());
    ForecastSuite suite = suite(context);
    AutoCloseable end = () -> end(suite, asked, context);
    context.getStore(OWN).put(ForecastIsolation.class, end);
  }

  private static void end(ForecastSuite suite, Asked.Forecasts asked, ExtensionContext context) {
    ForecastHistory.end(asked.prove());
    List<String> failures = suite.testEnded(asked);
    context.publishReportEntry("isotail", suite.summary());
    if (!failures.isEmpty()) {
      throw new AssertionError(String.join(System.lineSeparator(), failures));
    }
  }

  @SuppressWarnings("deprecation") // JUnit 5 has no computeIfAbsent, which is to replace it
  private static ForecastSuite suite(ExtensionContext context) {
    return Objects.requireNonNull(
        context
            .getRoot()
            .getStore(OWN)
            .getOrComputeIfAbsent(
                ForecastSuite.class, key -> new ForecastSuite(), ForecastSuite.class));
  }
}
