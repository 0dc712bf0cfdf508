package io.isotail.monitor.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.incremental.cause.CauseLedger;
import io.isotail.monitor.store.StoredCause;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts violations by the slot of their cause, and says what the cause in each slot is, so that an
 * alert can stand alone.
 *
 * <p>The checker gives out the slots, so that they are the same on every instance. What people have
 * muted counts in a slot of its own, which no alert looks at. The counters of a history stay at 0
 * until they were scraped once: a rate over a counter that is born above 0 misses its first step.
 * Bounds: {@link CauseLedger#SLOTS} causes of each history. Safe for use by many threads.
 */
final class CauseMetrics implements Collector {
  /** The slot of what is muted. */
  static final int MUTED = CauseLedger.SLOTS + 1;

  /** Longer texts of labels are cut. */
  private static final int MAX_TEXT = 300;

  private final Counter counter;
  private final String publicUrl;
  private final Map<String, OfHistory> histories = new TreeMap<>();

  /** The counters of a history. */
  private static final class OfHistory {
    /** By slot the cause that holds it. */
    final StoredCause[] causes = new StoredCause[CauseLedger.SLOTS + 1];

    /** By slot what is not counted yet. */
    final long[] waiting = new long[MUTED + 1];

    boolean isScraped;

    /** Whether a scrape is under way that shows them. */
    boolean beingScraped;
  }

  CauseMetrics(PrometheusRegistry registry, String publicUrl) {
    this.publicUrl = publicUrl;
    this.counter =
        Counter.builder()
            .name(MetricCatalogue.CAUSES.name())
            .help(MetricCatalogue.CAUSES.help())
            .labelNames(MetricCatalogue.CAUSES.labelNames())
            .register(registry);
    registry.register(this);
  }

  /** The counters of a history appear at 0. */
  synchronized OfHistory expect(String history) {
    OfHistory known = histories.get(history);
    if (known == null) {
      known = new OfHistory();
      histories.put(history, known);
      for (int slot = 0; slot <= MUTED; slot++) {
        counter.initLabelValues(history, label(slot));
      }
    }
    return known;
  }

  private static String label(int slot) {
    return slot == MUTED ? "muted" : Integer.toString(slot);
  }

  /** A cause is as this says. */
  synchronized void show(StoredCause cause) {
    OfHistory of = expect(cause.history());
    int slot = cause.slot();
    StoredCause shown = of.causes[slot];
    if (slot > 0 && (shown == null || shown.lastSeenMs() <= cause.lastSeenMs())) {
      of.causes[slot] = cause;
    }
  }

  /** The cause in a slot has brought about so many more violations; of an old one none. */
  synchronized void count(String history, int slot, long more) {
    OfHistory of = expect(history);
    if (of.isScraped) {
      counter.labelValues(history, label(slot)).inc(more);
    } else {
      of.waiting[slot] += more;
    }
  }

  /** A scrape begins. */
  synchronized void scraping() {
    histories.values().forEach(of -> of.beingScraped = true);
  }

  /** It has ended: what it showed at 0 moves from now on. */
  synchronized void scraped() {
    histories.forEach(
        (history, of) -> {
          if (of.beingScraped && !of.isScraped) {
            of.isScraped = true;
            for (int slot = 0; slot < of.waiting.length; slot++) {
              counter.labelValues(history, label(slot)).inc(of.waiting[slot]);
            }
          }
        });
  }

  @Override
  public synchronized InfoSnapshot collect() {
    InfoSnapshot.Builder all =
        InfoSnapshot.builder()
            .name(MetricCatalogue.CAUSE.name())
            .help(MetricCatalogue.CAUSE.help());
    for (OfHistory of : histories.values()) {
      Stream.of(of.causes).filter(Objects::nonNull).forEach(c -> all.dataPoint(point(c)));
    }
    return all.build();
  }

  private InfoDataPointSnapshot point(StoredCause cause) {
    JsonNode first = cause.document().path("advice").path(0);
    Labels labels =
        Labels.of(
            MetricCatalogue.CAUSE.labelNames(),
            new String[] {
              cause.history(),
              Integer.toString(cause.slot()),
              cause.level().label(),
              cause.kind().label(),
              cause.id(),
              shortened(cause.text("title")),
              cause.text("firstSeen"),
              shortened(first.path("what").asText("")),
              cause.text("simplest"),
              publicUrl
            });
    return InfoDataPointSnapshot.builder().labels(labels).build();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 1) + "…";
  }
}
