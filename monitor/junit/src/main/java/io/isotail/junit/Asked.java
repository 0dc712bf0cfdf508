package io.isotail.junit;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.junit.ForecastIsolation.FailOn;
import java.lang.annotation.Annotation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * What is asked of a test: by the annotation of the method, of its class, or of those around it, in
 * this order; of a whole suite by JUnit's configuration parameters.
 */
final class Asked {
  /** The parameter that asks for a whole suite to be checked. */
  static final String CHECK = "isotail.check";

  /** The parameter that asks for forecasts of a whole suite. */
  static final String FORECAST = "isotail.forecast";

  private Asked() {}

  /**
   * To check what happened.
   *
   * @param promise the level that the application relies on
   * @param failOnUndecided whether the test fails too if something could not be decided
   * @param reportOnly whether violations fail no test
   */
  record Check(IsolationLevel promise, boolean failOnUndecided, boolean reportOnly) {}

  /**
   * To forecast what can happen.
   *
   * @param promise the level that the application relies on
   * @param failOn which forecasts fail the test
   * @param prove whether they are tried out on the database
   */
  record Forecasts(IsolationLevel promise, FailOn failOn, boolean prove) {}

  /** What an annotation asks to be checked; null if there is none. */
  static @Nullable Check check(ExtensionContext context) {
    return annotation(context, CheckIsolation.class).map(Asked::check).orElse(null);
  }

  /** What the annotation asks. */
  static Check check(CheckIsolation by) {
    return new Check(by.promise(), by.failOnUndecided(), by.reportOnly());
  }

  /** What parameters ask to be checked; null for nothing. */
  static @Nullable Check checkOfSuite(ExtensionContext context) {
    IsolationLevel promise = parameter(context, CHECK, IsolationLevel.class, null);
    return promise == null
        ? null
        : new Check(
            promise,
            flag(context, CHECK + ".fail-on-undecided", false),
            flag(context, CHECK + ".report-only", false));
  }

  /** What an annotation asks to be forecast; null if there is none. */
  static @Nullable Forecasts forecasts(ExtensionContext context) {
    return annotation(context, ForecastIsolation.class)
        .map(by -> new Forecasts(by.promise(), by.failOn(), by.prove()))
        .orElse(null);
  }

  /** What parameters ask to be forecast; null for nothing. */
  static @Nullable Forecasts forecastsOfSuite(ExtensionContext context) {
    IsolationLevel promise = parameter(context, FORECAST, IsolationLevel.class, null);
    if (promise == null) {
      return null;
    }
    FailOn failOn = parameter(context, FORECAST + ".fail-on", FailOn.class, FailOn.NOTHING);
    return new Forecasts(
        promise,
        failOn == null ? FailOn.NOTHING : failOn,
        flag(context, FORECAST + ".prove", true));
  }

  private static <A extends Annotation> Optional<A> annotation(
      ExtensionContext context, Class<A> type) {
    Optional<A> found = Optional.empty();
    for (ExtensionContext c = context; found.isEmpty() && c != null; c = parent(c)) {
      found = AnnotationSupport.findAnnotation(c.getElement(), type);
    }
    return found;
  }

  private static @Nullable ExtensionContext parent(ExtensionContext context) {
    return context.getParent().orElse(null);
  }

  private static boolean flag(ExtensionContext context, String name, boolean unless) {
    String text = context.getConfigurationParameter(name).map(String::strip).orElse("" + unless);
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw wrong(name, text, "true or false");
  }

  /** A constant by its name with hyphens, as in {@code snapshot-isolation}. */
  private static <E extends Enum<E>> @Nullable E parameter(
      ExtensionContext context, String name, Class<E> type, @Nullable E unless) {
    String text = context.getConfigurationParameter(name).map(String::strip).orElse("");
    if (text.isEmpty()) {
      return unless;
    }
    Function<E, String> label = e -> e.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> label.apply(each).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    name,
                    text,
                    "one of "
                        + Arrays.stream(type.getEnumConstants())
                            .map(label)
                            .collect(Collectors.joining(", "))));
  }

  private static ExtensionConfigurationException wrong(String name, String found, String expected) {
    return new ExtensionConfigurationException(
        "configuration parameter %s: found '%s', expected %s".formatted(name, found, expected));
  }
}
