package io.isotail.monitor.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counts the events that are sent to OpenTelemetry. Safe for use by many threads. */
public final class EventCounts {
  private final Counter events;
  private final Counter failures;

  EventCounts(PrometheusRegistry registry) {
    MetricCatalogue.Metric e = MetricCatalogue.OTLP_EVENTS;
    this.events =
        Counter.builder()
            .name(e.name())
            .help(e.help())
            .labelNames(e.labelNames())
            .register(registry);
    events.initLabelValues("sent");
    events.initLabelValues("lost");
    MetricCatalogue.Metric f = MetricCatalogue.OTLP_FAILURES;
    this.failures = Counter.builder().name(f.name()).help(f.help()).register(registry);
  }

  /** The receiver has taken so many. */
  public void sent(long number) {
    events.labelValues("sent").inc(number);
  }

  /** So many will not be sent. */
  public void lost(long number) {
    events.labelValues("lost").inc(number);
  }

  /** A request has failed. */
  public void failed() {
    failures.inc();
  }
}
