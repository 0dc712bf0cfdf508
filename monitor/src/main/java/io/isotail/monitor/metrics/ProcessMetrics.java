package io.isotail.monitor.metrics;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the JVM and the process, beside which others are registered. Safe for use by many
 * threads.
 */
final class ProcessMetrics implements AutoCloseable {
  private static final String OPEN_METRICS = "application/openmetrics-text";
  private static final String OPEN_METRICS_TYPE = OPEN_METRICS + "; version=1.0.0; charset=utf-8";
  private static final String PROTOBUF = "application/vnd.google.protobuf";
  private static final String PROTOBUF_TYPE =
      PROTOBUF + "; proto=io.prometheus.client.MetricFamily; encoding=delimited";
  private static final String TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry micrometer =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();

  ProcessMetrics() {
    // Their names break the conventions that promtool checks; process.cpu.usage says as much.
    micrometer.config().meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"));
    micrometer.config().meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    new JvmMemoryMetrics().bindTo(micrometer);
    new JvmThreadMetrics().bindTo(micrometer);
    new ProcessorMetrics().bindTo(micrometer);
    new UptimeMetrics().bindTo(micrometer);
    gc.bindTo(micrometer);
  }

  /** Where others are registered. */
  PrometheusRegistry registry() {
    return micrometer.getPrometheusRegistry();
  }

  /**
   * The exposition.
   *
   * @param accept the request's Accept header, or null: protobuf, which alone has native
   *     histograms, if it asks for that, else OpenMetrics, else text 0.0.4
   */
  Exposition scrape(@Nullable String accept) {
    String type = type(accept == null ? "" : accept);
    ByteArrayOutputStream body = new ByteArrayOutputStream(16_384);
    try {
      micrometer.scrape(body, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Exposition(type, body.toByteArray());
  }

  private static String type(String accept) {
    if (accept.contains(PROTOBUF)) {
      return PROTOBUF_TYPE;
    }
    return accept.contains(OPEN_METRICS) ? OPEN_METRICS_TYPE : TEXT_TYPE;
  }

  @Override
  public void close() {
    gc.close();
    micrometer.close();
  }
}
