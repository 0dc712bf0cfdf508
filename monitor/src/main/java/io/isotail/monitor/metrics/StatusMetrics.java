package io.isotail.monitor.metrics;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.coverage.CaptureReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.monitor.metrics.MetricCatalogue.Metric;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.StatusBoard;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that are read from the status board when a scrape comes: what checkers have counted,
 * and where histories and the pipeline stand. Safe for use by many threads.
 */
final class StatusMetrics {
  private final StatusBoard board;
  private final PrometheusRegistry registry;
  private final DoubleSupplier anomaliesSkipped;
  private final BooleanSupplier reloaded;
  private final Supplier<@Nullable PartitionShare> share;
  private final Map<String, Double> unsoundByHistory = new HashMap<>();
  private double unsound;

  /**
   * Registers nothing yet.
   *
   * @param anomaliesSkipped records of the anomalies topic that could not be used
   * @param reloaded whether the configuration that was read last could be used
   * @param share what is checked of the log; null before the broker has answered
   */
  StatusMetrics(
      StatusBoard board,
      PrometheusRegistry registry,
      DoubleSupplier anomaliesSkipped,
      BooleanSupplier reloaded,
      Supplier<@Nullable PartitionShare> share) {
    this.board = board;
    this.registry = registry;
    this.anomaliesSkipped = anomaliesSkipped;
    this.reloaded = reloaded;
    this.share = share;
  }

  /** Registers all of them. */
  void register() {
    registerCounters();
    registerGauges();
  }

  private void registerCounters() {
    counter(MetricCatalogue.OCCURRENCES, CheckerReport::occurrences);
    counter(MetricCatalogue.OPERATIONS, CheckerReport::operations);
    counter(MetricCatalogue.READS, CheckerReport::reads);
    counter(MetricCatalogue.READS_DECIDED, CheckerReport::readsDecided);
    counter(MetricCatalogue.READS_BEFORE_CAPTURE, CheckerReport::readsBeforeCapture);
    counter(MetricCatalogue.READS_FOREIGN, CheckerReport::readsForeign);
    counter(MetricCatalogue.READS_NOT_CAPTURED, r -> r.capture().readsNotCaptured());
    counterOf(MetricCatalogue.STATEMENTS)
        .callback(
            c ->
                forEach(
                    h -> {
                      c.call(since(h, r -> r.capture().captured()), h.history(), "yes");
                      c.call(since(h, r -> r.capture().notCaptured()), h.history(), "no");
                    }))
        .register(registry);
    counterOf(MetricCatalogue.STATEMENTS_NOT_CAPTURED)
        .callback(
            c ->
                forEach(
                    h -> {
                      Map<String, Long> before = new HashMap<>();
                      h.before()
                          .capture()
                          .causes()
                          .forEach(cause -> before.put(nameOf(cause), cause.statements()));
                      for (CaptureReport.Cause cause : h.report().capture().causes()) {
                        long own = cause.statements() - before.getOrDefault(nameOf(cause), 0L);
                        c.call(
                            (double) Math.max(0, own),
                            h.history(),
                            cause.service(),
                            cause.reason());
                      }
                    }))
        .register(registry);
    counterOf(MetricCatalogue.RECORDS)
        .callback(
            c -> forEach(h -> c.call((double) (h.records() - h.recordsBefore()), h.history())))
        .register(registry);
    counter(MetricCatalogue.LOST_RECORDS, CheckerReport::lostRecords);
    counter(MetricCatalogue.DUPLICATE_RECORDS, CheckerReport::duplicateRecords);
    counter(MetricCatalogue.DUPLICATE_VERSIONS, CheckerReport::duplicateVersions);
    counter(MetricCatalogue.SILENT_PROXIES, CheckerReport::silentProxies);
    counter(MetricCatalogue.EDGES_INFERRED, CheckerReport::edgesInferred);
    counter(MetricCatalogue.EDGES_DROPPED, CheckerReport::edgesDropped);
    counter(MetricCatalogue.SEARCHES, CheckerReport::searches);
    counter(MetricCatalogue.SEARCH_STEPS, CheckerReport::searchSteps);
    counter(MetricCatalogue.TRUNCATED, CheckerReport::truncated);
    counterOf(MetricCatalogue.TRANSACTIONS)
        .callback(
            c ->
                forEach(
                    h -> {
                      c.call(since(h, CheckerReport::transactions), h.history(), "committed");
                      c.call(since(h, CheckerReport::aborted), h.history(), "aborted");
                      c.call(since(h, CheckerReport::unknown), h.history(), "unknown");
                    }))
        .register(registry);
    counterOf(MetricCatalogue.UNDECIDED)
        .callback(
            c ->
                forEach(
                    h -> {
                      for (UndecidedReason reason : UndecidedReason.values()) {
                        double count = since(h, r -> r.undecided().getOrDefault(reason, 0L));
                        c.call(count, h.history(), reason.label());
                      }
                    }))
        .register(registry);
    counterOf(MetricCatalogue.BAD_RECORDS)
        .callback(
            c -> {
              MonitorStatus status = board.current();
              c.call((double) status.badRecords(), "decode");
              c.call(unsound(status), "check");
              c.call(anomaliesSkipped.getAsDouble(), "anomaly");
            })
        .register(registry);
    counterOf(MetricCatalogue.BUSY)
        .callback(c -> c.call(board.current().busySeconds()))
        .register(registry);
    counterOf(MetricCatalogue.KAFKA_ERRORS)
        .callback(c -> c.call((double) board.current().kafkaErrors()))
        .register(registry);
  }

  private void registerGauges() {
    gauge(MetricCatalogue.WINDOW, h -> h.report().windowTransactions());
    gauge(MetricCatalogue.PENDING, h -> h.report().pendingTransactions());
    gauge(MetricCatalogue.SESSIONS, h -> h.report().liveSessions());
    gauge(MetricCatalogue.PROXIES, h -> h.report().liveProxies());
    gauge(MetricCatalogue.QUARANTINED, h -> h.failure() == null ? 0 : 1);
    gaugeOf(MetricCatalogue.VERDICT)
        .callback(
            c ->
                forEach(
                    h ->
                        h.report()
                            .verdicts()
                            .forEach(
                                (level, holds) -> {
                                  for (Verdict verdict : Verdict.values()) {
                                    c.call(
                                        verdict == holds ? 1 : 0,
                                        h.history(),
                                        level.label(),
                                        verdict.label());
                                  }
                                })))
        .register(registry);
    gaugeOf(MetricCatalogue.PROMISE)
        .callback(
            c ->
                forEach(
                    h -> {
                      IsolationLevel promise = h.promise();
                      c.call(1, h.history(), promise == null ? "varies" : promise.label());
                    }))
        .register(registry);
    gauge(MetricCatalogue.OBSERVED, h -> h.observed().map(StatusMetrics::number).orElse(0));
    gauge(MetricCatalogue.CHECKED, h -> number(h.report().checked()));
    gauge(MetricCatalogue.SHED, h -> h.sheds() ? 1 : 0);
    share(MetricCatalogue.PARTITIONS, PartitionShare::all);
    share(MetricCatalogue.ASSIGNED, PartitionShare::held);
    lag(MetricCatalogue.LAG_RECORDS, Lag::records);
    lag(MetricCatalogue.LAG_TRANSACTIONS, Lag::transactions);
    lag(MetricCatalogue.LAG_SECONDS, Lag::seconds);
    gaugeOf(MetricCatalogue.UNPUBLISHED)
        .callback(c -> c.call((double) board.current().unpublished()))
        .register(registry);
    gaugeOf(MetricCatalogue.RELOADED)
        .callback(c -> c.call(reloaded.getAsBoolean() ? 1 : 0))
        .register(registry);
    gaugeOf(MetricCatalogue.READY)
        .callback(c -> c.call(board.current().ready() ? 1 : 0))
        .register(registry);
  }

  /** Grows for ever, although histories come and go. */
  private synchronized double unsound(MonitorStatus status) {
    for (HistoryStatus h : status.histories().values()) {
      double count = since(h, CheckerReport::badRecords);
      Double before = unsoundByHistory.put(h.history(), count);
      unsound += Math.max(0, count - (before == null ? 0 : before));
    }
    return unsound;
  }

  private static int number(IsolationLevel level) {
    return level.code() + 1;
  }

  private void counter(Metric metric, ToDoubleFunction<CheckerReport> value) {
    counterOf(metric)
        .callback(c -> forEach(h -> c.call(since(h, value), h.history())))
        .register(registry);
  }

  /**
   * What this instance has counted itself. A counter that began where another instance's ended
   * would count all of that again at the restart.
   */
  private static double since(HistoryStatus h, ToDoubleFunction<CheckerReport> value) {
    return Math.max(0, value.applyAsDouble(h.report()) - value.applyAsDouble(h.before()));
  }

  private static String nameOf(CaptureReport.Cause cause) {
    return cause.service() + ' ' + cause.reason();
  }

  private void gauge(Metric metric, ToDoubleFunction<HistoryStatus> value) {
    gaugeOf(metric)
        .callback(c -> forEach(h -> c.call(value.applyAsDouble(h), h.history())))
        .register(registry);
  }

  /** While the lag is unknown there is no sample. */
  private void lag(Metric metric, ToDoubleFunction<Lag> value) {
    gaugeOf(metric)
        .callback(
            c -> {
              Lag known = board.current().lag();
              if (known != null) {
                c.call(value.applyAsDouble(known));
              }
            })
        .register(registry);
  }

  private void share(Metric metric, ToIntFunction<PartitionShare> value) {
    gaugeOf(metric)
        .callback(
            c -> {
              PartitionShare known = share.get();
              if (known != null) {
                c.call(value.applyAsInt(known), known.cluster(), known.group());
              }
            })
        .register(registry);
  }

  private static CounterWithCallback.Builder counterOf(Metric metric) {
    return CounterWithCallback.builder()
        .name(metric.name())
        .help(metric.help())
        .labelNames(metric.labelNames());
  }

  private static GaugeWithCallback.Builder gaugeOf(Metric metric) {
    return GaugeWithCallback.builder()
        .name(metric.name())
        .help(metric.help())
        .labelNames(metric.labelNames());
  }

  private void forEach(Consumer<HistoryStatus> visitor) {
    board.current().histories().values().forEach(visitor);
  }
}
