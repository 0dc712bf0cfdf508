package io.isotail.monitor.metrics;

import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.StatementTally;
import io.isotail.ingest.capture.StatementTotals;
import io.isotail.ingest.emit.EmitterStats;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.monitor.metrics.MetricCatalogue.Metric;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of what a proxy captures, read from what its capture has counted when a scrape comes;
 * all are 0 before the first connection. Values of labels are fixed sets. Safe for use by many
 * threads.
 */
final class CaptureMetrics {
  private static final double MS_PER_S = 1e3;
  private static final CaptureStats NOTHING = new CaptureStats();

  private static final Set<CaptureStats.Event> EXPECTED =
      Set.of(CaptureStats.Event.RECORDS, CaptureStats.Event.OPERATIONS);

  private final PrometheusRegistry registry;
  private final CapturedConversations conversations;

  private CaptureMetrics(PrometheusRegistry registry, CapturedConversations conversations) {
    this.registry = registry;
    this.conversations = conversations;
  }

  static void register(PrometheusRegistry registry, CapturedConversations conversations) {
    CaptureMetrics metrics = new CaptureMetrics(registry, conversations);
    metrics.captured();
    metrics.emitted();
  }

  private void captured() {
    counter(ProxyCatalogue.UNCAPTURED, () -> Map.of("", (double) conversations.uncaptured()));
    counter(ProxyCatalogue.TRANSACTIONS, this::transactions);
    counter(
        ProxyCatalogue.OPERATIONS,
        () -> Map.of("", (double) stats().of(CaptureStats.Event.OPERATIONS)));
    counter(ProxyCatalogue.STATEMENTS, this::statements);
    counter(ProxyCatalogue.STATEMENTS_NOT_CAPTURED, this::reasons);
    counter(ProxyCatalogue.CAPTURE_EVENTS, this::events);
  }

  private void emitted() {
    gauge(ProxyCatalogue.QUEUE, EmitterStats::queueDepth);
    gauge(ProxyCatalogue.QUEUE_CAPACITY, EmitterStats::queueCapacity);
    counter(ProxyCatalogue.EMITTED, () -> Map.of("", (double) emitter().emitted()));
    counter(
        ProxyCatalogue.LOST,
        () -> {
          EmitterStats now = emitter();
          return Map.of(
              "queue-full", (double) now.dropped(), "not-acknowledged", (double) now.failed());
        });
    counter(ProxyCatalogue.GAPS, () -> Map.of("", (double) emitter().gaps()));
    counter(ProxyCatalogue.HEARTBEATS, () -> Map.of("", (double) emitter().heartbeats()));
    counter(ProxyCatalogue.KAFKA_ERRORS, () -> Map.of("", (double) emitter().errors()));
    gauge(ProxyCatalogue.KAFKA_SILENT, now -> now.silentMs() / MS_PER_S);
  }

  private CaptureStats stats() {
    Capture capture = conversations.capture();
    return capture == null ? NOTHING : capture.stats();
  }

  private StatementTotals totals() {
    Capture capture = conversations.capture();
    return capture == null ? StatementTotals.NONE : capture.statements();
  }

  private EmitterStats emitter() {
    @Nullable Capture capture = conversations.capture();
    return capture == null ? EmitterStats.NONE : capture.emitted();
  }

  private Map<String, Double> transactions() {
    CaptureStats now = stats();
    Map<String, Double> values = new TreeMap<>();
    for (Outcome outcome : Outcome.values()) {
      if (outcome != Outcome.OPEN) {
        values.put(label(outcome), (double) now.of(outcome));
      }
    }
    return values;
  }

  private Map<String, Double> statements() {
    StatementTotals now = totals();
    Map<String, Double> values = new TreeMap<>();
    values.put("captured", (double) now.captured());
    for (NotCaptured.Kind kind : NotCaptured.Kind.values()) {
      values.put(label(kind), (double) now.kinds().getOrDefault(kind, 0L));
    }
    return values;
  }

  private Map<String, Double> reasons() {
    Map<String, Long> now = totals().reasons();
    Map<String, Double> values = new TreeMap<>();
    for (String reason : new TreeSet<>(StatementTally.reasons())) {
      values.put(reason, (double) now.getOrDefault(reason, 0L));
    }
    return values;
  }

  private Map<String, Double> events() {
    CaptureStats now = stats();
    Map<String, Double> values = new TreeMap<>();
    for (CaptureStats.Event event : CaptureStats.Event.values()) {
      if (!EXPECTED.contains(event)) {
        values.put(label(event), (double) now.of(event));
      }
    }
    return values;
  }

  static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A counter with a series for each value of its label; for the empty one if it has none. */
  private void counter(Metric metric, Supplier<Map<String, Double>> values) {
    CounterWithCallback.builder()
        .name(metric.name())
        .help(metric.help())
        .labelNames(metric.labelNames())
        .callback(
            c ->
                values
                    .get()
                    .forEach(
                        (label, value) -> {
                          if (label.isEmpty()) {
                            c.call(value);
                          } else {
                            c.call(value, label);
                          }
                        }))
        .register(registry);
  }

  private void gauge(Metric metric, ToDoubleFunction<EmitterStats> value) {
    GaugeWithCallback.builder()
        .name(metric.name())
        .help(metric.help())
        .callback(c -> c.call(value.applyAsDouble(emitter())))
        .register(registry);
  }
}
