package io.isotail.monitor.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.incremental.cause.IncidentLedger;
import io.isotail.monitor.store.StoredIncident;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Counts violations by the slot of their incident, and says what the incident in each slot is, so
 * that an alert can stand alone.
 *
 * <p>The checker gives out the slots, so that they are the same on every instance. What people have
 * muted counts in a slot of its own, which no alert looks at. The counters of a history stay at 0
 * until they were scraped once: a rate over a counter that is born above 0 misses its first step.
 * The words change seldom, so that they make few series: numbers in them are rounded down to one
 * digit. What an incident is, is told until it has not struck for {@link #LIFE}; the counter of its
 * slot stays. Bounds: {@link IncidentLedger#SLOTS} incidents of each history. Safe for use by many
 * threads.
 */
final class IncidentMetrics implements Collector {
  /** The slot of what is muted. */
  static final int MUTED = IncidentLedger.SLOTS + 1;

  /** Longer texts of labels are cut. */
  private static final int MAX_TEXT = 300;

  /** For how long the words for an incident outlast what it has done last. */
  static final Duration LIFE = Duration.ofHours(24);

  private final Counter counter;
  private final String publicUrl;
  private final HistoryInfo info;
  private final LongSupplier clockMs;
  private final Map<String, OfHistory> histories = new TreeMap<>();

  /** The counters of a history. */
  private static final class OfHistory {
    /** By slot the incident that holds it. */
    final StoredIncident[] incidents = new StoredIncident[IncidentLedger.SLOTS + 1];

    /** By slot the wall time at which it was counted last, in ms; 0 for never. */
    final long[] countedMs = new long[MUTED + 1];

    /** By slot what is not counted yet. */
    final long[] waiting = new long[MUTED + 1];

    boolean isScraped;

    /** Whether a scrape is under way that shows them. */
    boolean beingScraped;
  }

  /**
   * Registers the metrics.
   *
   * @param publicUrl under which people reach the page; empty if that is not told
   * @param info labels of the histories
   * @param clockMs wall time in ms since 1970
   */
  IncidentMetrics(
      PrometheusRegistry registry, String publicUrl, HistoryInfo info, LongSupplier clockMs) {
    this.publicUrl = publicUrl;
    this.info = info;
    this.clockMs = clockMs;
    this.counter =
        Counter.builder()
            .name(MetricCatalogue.INCIDENTS.name())
            .help(MetricCatalogue.INCIDENTS.help())
            .labelNames(MetricCatalogue.INCIDENTS.labelNames())
            .register(registry);
    registry.register(this);
  }

  /** The counters of a history appear at 0. */
  synchronized OfHistory expect(String history) {
    OfHistory known = histories.get(history);
    if (known == null) {
      known = new OfHistory();
      histories.put(history, known);
      info.expect(history);
      for (int slot = 0; slot <= MUTED; slot++) {
        counter.initLabelValues(history, label(slot));
      }
    }
    return known;
  }

  private static String label(int slot) {
    return slot == MUTED ? "muted" : Integer.toString(slot);
  }

  /** An incident is as this says. */
  synchronized void show(StoredIncident incident) {
    OfHistory of = expect(incident.history());
    int slot = incident.slot();
    StoredIncident shown = of.incidents[slot];
    if (slot > 0 && (shown == null || shown.lastSeenMs() <= incident.lastSeenMs())) {
      for (int other = 1; other < of.incidents.length; other++) {
        StoredIncident there = of.incidents[other];
        if (there != null && there.id().equals(incident.id())) {
          of.incidents[other] = null;
        }
      }
      of.incidents[slot] = incident;
    }
  }

  /** The causes of the incident in a slot have brought about so many more; of an old one none. */
  synchronized void count(String history, int slot, long more) {
    OfHistory of = expect(history);
    if (more > 0) {
      of.countedMs[slot] = clockMs.getAsLong();
    }
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
            .name(MetricCatalogue.INCIDENT.name())
            .help(MetricCatalogue.INCIDENT.help());
    long nowMs = clockMs.getAsLong();
    for (OfHistory of : histories.values()) {
      for (StoredIncident incident : of.incidents) {
        if (incident != null && isTold(of, incident, nowMs)) {
          all.dataPoint(point(incident));
        }
      }
    }
    return all.build();
  }

  /**
   * Whether an incident struck lately, or was counted: a log may be read long after it was written.
   */
  private static boolean isTold(OfHistory of, StoredIncident incident, long nowMs) {
    long lastMs = Math.max(incident.lastSeenMs(), of.countedMs[incident.slot()]);
    return lastMs == 0 || nowMs - lastMs < LIFE.toMillis();
  }

  private InfoDataPointSnapshot point(StoredIncident incident) {
    JsonNode first = incident.document().path("advice").path(0);
    Labels labels =
        Labels.of(
            MetricCatalogue.INCIDENT.labelNames(),
            new String[] {
              incident.history(),
              Integer.toString(incident.slot()),
              incident.id(),
              incident.document().path("wave").path("number").asText("1"),
              incident.text("root"),
              shortened(incident.text("title")),
              incident.text("firstSeen"),
              shortened(incident.document().path("roughly").path("radius").asText("")),
              shortened(incident.document().path("roughly").path("counts").asText("")),
              shortened(incident.text("verdict")),
              shortened(first.path("what").asText("")),
              shortened(incident.document().path("wave").path("reason").asText("")),
              shortened(incident.document().path("ended").path("reason").asText("")),
              incident.text("witness"),
              publicUrl
            });
    return InfoDataPointSnapshot.builder()
        .labels(labels.merge(info.of(incident.history())))
        .build();
  }

  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 1) + "…";
  }
}
