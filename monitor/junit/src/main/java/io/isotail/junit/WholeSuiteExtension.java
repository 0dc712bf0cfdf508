package io.isotail.junit;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks each test, and makes forecasts after it, where JUnit's configuration parameters {@code
 * isotail.check} and {@code isotail.forecast} ask for it; a test with an annotation asks for
 * itself. JUnit's detection of extensions registers it. Runs on JUnit 5.14 and 6.
 */
public final class WholeSuiteExtension implements BeforeEachCallback {
  @Override
  public void beforeEach(ExtensionContext context) {
    Asked.Check check = Asked.check(context) == null ? Asked.checkOfSuite(context) : null;
    if (check != null) {
      CheckIsolationExtension.begin(context, check);
    }
    Asked.Forecasts forecasts =
        Asked.forecasts(context) == null ? Asked.forecastsOfSuite(context) : null;
    if (forecasts != null) {
      ForecastIsolationExtension.begin(context, forecasts);
    }
  }
}
