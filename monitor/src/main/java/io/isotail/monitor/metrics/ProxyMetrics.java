package io.isotail.monitor.metrics;

import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyStats;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ProxyStats.Delays;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import io.isotail.monitor.metrics.MetricCatalogue.Metric;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a proxy, read from what it has counted when a scrape comes. Safe for use by many
 * threads.
 */
public final class ProxyMetrics implements AutoCloseable {
  private final ProcessMetrics process = new ProcessMetrics();
  private final PrometheusRegistry registry = process.registry();
  private final ProxyStats stats;
  private volatile boolean reloaded = true;

  /**
   * Exports what a proxy counts.
   *
   * @param stats what passes
   * @param conversations what its connections are, and what was captured of them
   * @param ready whether clients may connect
   */
  public ProxyMetrics(
      ProxyStats stats, CapturedConversations conversations, BooleanSupplier ready) {
    this.stats = stats;
    ProxyCatalogue.COUNTERS.forEach(this::register);
    counter(ProxyCatalogue.START_FAILURES)
        .callback(
            c -> {
              for (StartFailure reason : StartFailure.values()) {
                c.call((double) stats.get(reason), CaptureMetrics.label(reason));
              }
            })
        .register(registry);
    gauge(ProxyCatalogue.OPEN, stats::open);
    CaptureMetrics.register(registry, conversations);
    gauge(ProxyCatalogue.READY, () -> ready.getAsBoolean() ? 1 : 0);
    gauge(MetricCatalogue.RELOADED, () -> reloaded ? 1 : 0);
    histogram(ProxyCatalogue.ADDED, Map.of("client", stats.toServer(), "server", stats.toClient()));
    histogram(ProxyCatalogue.LOOP_WAIT, Map.of("", stats.loopWaits()));
  }

  private void register(ProxyCatalogue.Counted counted) {
    counter(counted.metric())
        .callback(
            c ->
                counted
                    .counts()
                    .forEach(
                        (label, count) -> {
                          double value = value(count);
                          if (label.isEmpty()) {
                            c.call(value);
                          } else {
                            c.call(value, label);
                          }
                        }))
        .register(registry);
  }

  private double value(Count count) {
    return stats.get(count);
  }

  private static CounterWithCallback.Builder counter(Metric metric) {
    return CounterWithCallback.builder()
        .name(metric.name())
        .help(metric.help())
        .labelNames(metric.labelNames());
  }

  private void gauge(Metric metric, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(metric.name())
        .help(metric.help())
        .callback(c -> c.call(value.getAsDouble()))
        .register(registry);
  }

  /** A histogram, of which there is a series for each value of its label. */
  private void histogram(Metric metric, Map<String, Delays> series) {
    Map<String, Delays> inOrder = new TreeMap<>(series);
    registry.register(
        () -> {
          HistogramSnapshot.Builder all =
              HistogramSnapshot.builder().name(metric.name()).help(metric.help());
          inOrder.forEach(
              (label, delays) ->
                  all.dataPoint(
                      HistogramDataPointSnapshot.builder()
                          .labels(
                              label.isEmpty()
                                  ? Labels.EMPTY
                                  : Labels.of(metric.labelNames(), new String[] {label}))
                          .classicHistogramBuckets(buckets(delays))
                          .sum(delays.sum())
                          .build()));
          return all.build();
        });
  }

  private static ClassicHistogramBuckets buckets(Delays delays) {
    double[] bounds = Delays.bounds();
    long[] counts = delays.counts();
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < counts.length; i++) {
      buckets.bucket(i < bounds.length ? bounds[i] : Double.POSITIVE_INFINITY, counts[i]);
    }
    return buckets.build();
  }

  /** Files were read again, and could be used or not. */
  public void reloaded(boolean usable) {
    reloaded = usable;
  }

  /**
   * The exposition.
   *
   * @param accept the request's Accept header, or null: protobuf if it asks for that, else
   *     OpenMetrics, else text 0.0.4
   */
  public Exposition scrape(@Nullable String accept) {
    return process.scrape(accept);
  }

  @Override
  public void close() {
    process.close();
  }
}
