package io.isotail.monitor.api;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.store.StoredAnomaly;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which anomalies a request is about, by its parameters. */
final class AnomalyFilter {
  private AnomalyFilter() {}

  /**
   * Those of {@code history}, {@code level}, {@code kind} and {@code cause}.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  static Predicate<StoredAnomaly> ofNames(RoutingContext context) {
    return ofHistory(parameter(context, "history"))
        .and(ofLevel(parameter(context, "level")))
        .and(ofKind(parameter(context, "kind")))
        .and(ofCause(parameter(context, "cause")));
  }

  /**
   * Those of a history, level, kind and cause, from {@code from} on until before {@code to}, both
   * in ISO 8601.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  static Predicate<StoredAnomaly> of(RoutingContext context) {
    String from = parameter(context, "from");
    String to = parameter(context, "to");
    // An anomaly without a time is in no stretch of time.
    long fromMs = from == null ? StoredAnomaly.NO_TIME_MS : time("from", from);
    long toMs = to == null ? Long.MAX_VALUE : time("to", to);
    return ofNames(context)
        .and(a -> a.atMs() >= fromMs && a.atMs() < toMs)
        .and(a -> to == null || a.atMs() != StoredAnomaly.NO_TIME_MS);
  }

  /** The parameter's value; null when it is missing or empty. */
  static @Nullable String parameter(RoutingContext context, String name) {
    String value = context.request().getParam(name);
    return value == null || value.isEmpty() ? null : value;
  }

  private static long time(String name, String value) {
    try {
      return Instant.parse(value).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s=%s; expected a time as in 2026-09-21T14:13:20Z".formatted(name, value), e);
    }
  }

  private static Predicate<StoredAnomaly> ofHistory(@Nullable String history) {
    return a -> history == null || a.history().equals(history);
  }

  private static Predicate<StoredAnomaly> ofCause(@Nullable String cause) {
    return a -> cause == null || a.cause().equals(cause);
  }

  private static Predicate<StoredAnomaly> ofLevel(@Nullable String label) {
    if (label == null) {
      return a -> true;
    }
    IsolationLevel level = IsolationLevel.ofLabel(label);
    return a -> a.level() == level;
  }

  private static Predicate<StoredAnomaly> ofKind(@Nullable String label) {
    if (label == null) {
      return a -> true;
    }
    for (AnomalyKind kind : AnomalyKind.values()) {
      if (kind.label().equals(label)) {
        return a -> a.kind() == kind;
      }
    }
    throw new IllegalArgumentException(
        "anomaly '%s' is unknown; expected one of %s"
            .formatted(
                label,
                Arrays.stream(AnomalyKind.values())
                    .map(AnomalyKind::label)
                    .collect(Collectors.joining(", "))));
  }
}
