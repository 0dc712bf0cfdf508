package io.isotail.monitor.metrics;

import com.github.benmanes.caffeine.cache.Ticker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.monitor.metrics.MetricCatalogue.Metric;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredIncident;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The monitor's metrics. Counters of the checkers are read from the latest snapshot when a scrape
 * comes, so that no scrape ever calls into a checker.
 *
 * <p>Registered with the Prometheus client beneath Micrometer: Micrometer has no way to give a
 * counter an exemplar of one's own, and would bind one object for each series of a snapshot.
 */
public final class MonitorMetrics implements AutoCloseable {
  /** Label of an exemplar: the id of the witness. */
  public static final String EXEMPLAR_LABEL = "witness";

  private static final double[] SECONDS_BUCKETS = {
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };

  private final ProcessMetrics process = new ProcessMetrics();
  private final PrometheusRegistry registry;
  private final Counter anomalies;
  private final Histogram detection;
  private final Histogram delay;
  private final Histogram stateSaving;

  private final WitnessSlots witnesses = new WitnessSlots(Ticker.systemTicker());
  private final IncidentMetrics incidents;
  private final EventCounts events;
  private final Map<String, IsolationLevel> expected = new HashMap<>();
  private final HistoryInfo histories = new HistoryInfo();
  private volatile boolean reloaded = true;
  private volatile @Nullable PartitionShare share;
  private final LongAdder anomaliesSkipped = new LongAdder();

  /** What waits, by history, until its counters have been scraped. */
  private final Map<String, Map<Series, Counted>> unscraped = new HashMap<>();

  private record Series(String history, String level, String kind) {}

  /** So many, the last of which has this id. */
  private record Counted(long times, String id) {}

  /** Exports what {@code board} shows, of a monitor that knows no address of its own. */
  public MonitorMetrics(StatusBoard board) {
    this(board, "", "");
  }

  /**
   * Exports what {@code board} shows.
   *
   * @param publicUrl under which people reach the page, without a slash at its end; empty if that
   *     is not told
   * @param runbookUrl address of the folder with the runbooks, without a slash at its end
   */
  public MonitorMetrics(StatusBoard board, String publicUrl, String runbookUrl) {
    this(board, publicUrl, runbookUrl, System::currentTimeMillis);
  }

  MonitorMetrics(StatusBoard board, String publicUrl, String runbookUrl, LongSupplier clockMs) {
    this.registry = process.registry();
    Metric a = MetricCatalogue.ANOMALIES;
    this.anomalies =
        Counter.builder()
            .name(a.name())
            .help(a.help())
            .labelNames(a.labelNames())
            .register(registry);
    this.detection = histogram(MetricCatalogue.DETECTION);
    this.delay = histogram(MetricCatalogue.DELAY);
    this.stateSaving = histogram(MetricCatalogue.STATE_SAVING);
    registry.register(witnesses);
    registry.register(histories);
    this.incidents = new IncidentMetrics(registry, publicUrl, histories, clockMs);
    this.events = new EventCounts(registry);
    Metric m = MetricCatalogue.MONITOR;
    Info.builder()
        .name(m.name())
        .help(m.help())
        .labelNames(m.labelNames())
        .register(registry)
        .setLabelValues(publicUrl, runbookUrl);
    new StatusMetrics(board, registry, anomaliesSkipped::doubleValue, () -> reloaded, () -> share)
        .register();
  }

  /**
   * Makes every anomaly counter of a history appear at 0, and keeps them there until they have been
   * scraped: a rate over a counter that is born above 0 misses its first step.
   */
  public synchronized void expect(String history, IsolationLevel strongest) {
    IsolationLevel known = expected.get(history);
    if (known != null && known.atLeast(strongest)) {
      return;
    }
    expected.put(history, strongest);
    // A new map each time: what is being scraped does not show the new series yet.
    Map<Series, Counted> waiting = unscraped.get(history);
    unscraped.put(history, waiting == null ? new HashMap<>() : new HashMap<>(waiting));
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.compareTo(strongest) <= 0) {
        for (AnomalyKind kind : AnomalyKind.values()) {
          anomalies.initLabelValues(history, level.label(), kind.label());
        }
      }
    }
    incidents.expect(history);
    detection.initLabelValues(history);
    delay.initLabelValues(history);
  }

  /** Counts an anomaly that was published, by whichever instance. */
  public synchronized void found(StoredAnomaly anomaly) {
    expect(anomaly.history(), anomaly.level());
    witnesses.show(anomaly);
    Series series = new Series(anomaly.history(), anomaly.level().label(), anomaly.kind().label());
    Map<Series, Counted> waiting = unscraped.get(anomaly.history());
    Counted one = new Counted(1, anomaly.id());
    if (waiting == null) {
      count(series, one);
    } else {
      waiting.merge(series, one, (all, more) -> new Counted(all.times() + 1, more.id()));
    }
  }

  /** An incident is as this says, by whichever instance it was found. */
  public void knows(StoredIncident incident) {
    incidents.show(incident);
  }

  /** Counts what a cause of the incident in a slot has brought about. */
  public void caused(String history, int slot, long more) {
    incidents.count(history, slot, more);
  }

  /** Counts what a cause that is muted has brought about. */
  public void causedMuted(String history, long more) {
    incidents.count(history, IncidentMetrics.MUTED, more);
  }

  /**
   * Measures how long it took to find and publish an anomaly.
   *
   * @param nowNs wall time in ns since the epoch
   */
  public void published(Anomaly anomaly, long nowNs) {
    if (anomaly.commitTimeNs() != TransactionRecord.NO_TIME) {
      double seconds = Math.max(0, (nowNs - anomaly.commitTimeNs()) / 1e9);
      detection.labelValues(anomaly.history()).observe(seconds);
    }
  }

  /**
   * Measures how long a transaction's record was under way.
   *
   * @param endNs its end in ns since the epoch, by the clock of its proxy
   * @param nowMs wall time in ms since the epoch
   */
  public void checked(String history, long endNs, long nowMs) {
    delay.labelValues(history).observe(Math.max(0, nowMs / 1e3 - endNs / 1e9));
  }

  /** Measures for how long checking stood still while a state was saved. */
  public void stateSaved(double seconds) {
    stateSaving.observe(seconds);
  }

  /** Counts a record of the anomalies topic that this version of the program cannot use. */
  public void anomalySkipped() {
    anomaliesSkipped.increment();
  }

  /** The configuration file was read again, and could be used or not. */
  public void reloaded(boolean usable) {
    reloaded = usable;
  }

  /** The labels that the settings give a history are as this says of its id. */
  public void labels(Function<String, Map<String, String>> of) {
    histories.labels(of);
  }

  /** What becomes of the events for OpenTelemetry. */
  public EventCounts events() {
    return events;
  }

  /** What this instance checks of the log. */
  public void checks(PartitionShare known) {
    share = known;
  }

  private void count(Series series, Counted counted) {
    anomalies
        .labelValues(series.history(), series.level(), series.kind())
        .incWithExemplar(counted.times(), Labels.of(EXEMPLAR_LABEL, counted.id()));
  }

  /** The histories whose counters have been seen at 0 move from now on. */
  private synchronized void scraped(Map<String, Map<Series, Counted>> shown) {
    shown.forEach(
        (history, waiting) -> {
          if (isWaiting(history, waiting)) {
            unscraped.remove(history);
            waiting.forEach(this::count);
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // not one that is equal, but the one that was shown
  private boolean isWaiting(String history, Map<Series, Counted> waiting) {
    return unscraped.get(history) == waiting;
  }

  private synchronized Map<String, Map<Series, Counted>> unscraped() {
    return new HashMap<>(unscraped);
  }

  /**
   * The exposition.
   *
   * @param accept the request's Accept header, or null: protobuf if it asks for that, else
   *     OpenMetrics, else text 0.0.4
   */
  public Exposition scrape(@Nullable String accept) {
    Map<String, Map<Series, Counted>> shown = unscraped();
    incidents.scraping();
    Exposition exposition = process.scrape(accept);
    scraped(shown);
    incidents.scraped();
    return exposition;
  }

  /** Its buckets are classic and native; text shows the classic ones. */
  private Histogram histogram(Metric metric) {
    return Histogram.builder()
        .name(metric.name())
        .help(metric.help())
        .labelNames(metric.labelNames())
        .classicUpperBounds(SECONDS_BUCKETS)
        .register(registry);
  }

  @Override
  public void close() {
    process.close();
  }
}
