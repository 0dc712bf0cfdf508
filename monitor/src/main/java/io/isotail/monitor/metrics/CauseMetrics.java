package io.isotail.monitor.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Ticker;
import io.isotail.monitor.store.StoredCause;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A counter for each cause, and what it is in words, so that an alert can stand alone.
 *
 * <p>A series is labelled with the id of its cause, which is the same on every instance. Of a
 * history {@link #MAX_OF_HISTORY} causes have series. Another one takes the place of the one that
 * has not struck for longest, if that is {@link #IDLE} ago; else it counts for {@link #OTHER}. A
 * new series stays at 0 until it was scraped once: a rate over a counter that is born above 0
 * misses its first step. Safe for use by many threads.
 */
final class CauseMetrics implements Collector {
  /** Causes of a history that have series of their own. */
  static final int MAX_OF_HISTORY = 20;

  /** A cause that has not struck for so long gives its place to another one. */
  static final Duration IDLE = Duration.ofHours(1);

  /** In place of a cause's id. */
  static final String OTHER = "other";

  /** Longer texts of labels are cut. */
  private static final int MAX_TEXT = 300;

  private final Ticker ticker;
  private final Counter counter;

  /** By history, those with a cause of their own; the one that struck last is the last. */
  private final Map<String, Map<String, Shown>> histories = new HashMap<>();

  /** By their labels, those of all other causes. */
  private final Map<List<String>, Shown> others = new HashMap<>();

  /** A series. */
  private static final class Shown {
    final List<String> labels;
    StoredCause cause;
    long struckNs;

    /** What is not counted yet, since the series has not been scraped at 0. */
    long waiting;

    boolean isScraped;

    /** Whether a scrape is under way that shows it. */
    boolean beingScraped;

    Shown(List<String> labels, StoredCause cause) {
      this.labels = labels;
      this.cause = cause;
    }
  }

  CauseMetrics(PrometheusRegistry registry, Ticker ticker) {
    this.ticker = ticker;
    this.counter =
        Counter.builder()
            .name(MetricCatalogue.CAUSES.name())
            .help(MetricCatalogue.CAUSES.help())
            .labelNames(MetricCatalogue.CAUSES.labelNames())
            .register(registry);
    registry.register(this);
  }

  /** A cause has brought about so many more. */
  synchronized void count(StoredCause cause, long more) {
    if (more == 0) {
      return;
    }
    Shown shown = shown(cause);
    shown.cause = cause;
    shown.struckNs = ticker.read();
    if (shown.isScraped) {
      inc(shown, more);
    } else {
      shown.waiting += more;
    }
  }

  /** The series that the cause counts for, as the last of its history. */
  private Shown shown(StoredCause cause) {
    Map<String, Shown> own = histories.computeIfAbsent(cause.history(), h -> new LinkedHashMap<>());
    Shown shown = own.remove(cause.id());
    if (shown == null && own.size() >= MAX_OF_HISTORY) {
      Shown oldest = own.values().iterator().next();
      if (ticker.read() - oldest.struckNs < IDLE.toNanos()) {
        return others.computeIfAbsent(labels(cause, OTHER), labels -> begin(labels, cause));
      }
      own.remove(oldest.cause.id());
      counter.remove(oldest.labels.toArray(String[]::new));
    }
    shown = shown == null ? begin(labels(cause, cause.id()), cause) : shown;
    own.put(cause.id(), shown);
    return shown;
  }

  private Shown begin(List<String> labels, StoredCause cause) {
    counter.initLabelValues(labels.toArray(String[]::new));
    return new Shown(labels, cause);
  }

  private void inc(Shown shown, long more) {
    counter.labelValues(shown.labels.toArray(String[]::new)).inc(more);
  }

  private static List<String> labels(StoredCause cause, String id) {
    return List.of(cause.history(), cause.level().label(), cause.kind().label(), id);
  }

  /** A scrape begins. */
  synchronized void scraping() {
    forEach(shown -> shown.beingScraped = true);
    others.values().forEach(shown -> shown.beingScraped = true);
  }

  /** It has ended: what it showed at 0 moves from now on. */
  synchronized void scraped() {
    forEach(this::scraped);
    others.values().forEach(this::scraped);
  }

  private void scraped(Shown shown) {
    if (shown.beingScraped && !shown.isScraped) {
      shown.isScraped = true;
      inc(shown, shown.waiting);
      shown.waiting = 0;
    }
  }

  private void forEach(Consumer<Shown> action) {
    histories.values().forEach(own -> own.values().forEach(action));
  }

  @Override
  public synchronized InfoSnapshot collect() {
    InfoSnapshot.Builder all =
        InfoSnapshot.builder()
            .name(MetricCatalogue.CAUSE.name())
            .help(MetricCatalogue.CAUSE.help());
    forEach(shown -> all.dataPoint(point(shown.cause)));
    return all.build();
  }

  private static InfoDataPointSnapshot point(StoredCause cause) {
    JsonNode first = cause.document().path("advice").path(0);
    Labels labels =
        Labels.of(
            MetricCatalogue.CAUSE.labelNames(),
            new String[] {
              cause.history(),
              cause.level().label(),
              cause.kind().label(),
              cause.id(),
              shortened(cause.text("title")),
              cause.text("firstSeen"),
              shortened(first.path("what").asText("")),
              cause.text("simplest")
            });
    return InfoDataPointSnapshot.builder().labels(labels).build();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 1) + "…";
  }
}
