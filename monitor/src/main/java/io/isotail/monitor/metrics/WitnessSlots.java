package io.isotail.monitor.metrics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.isotail.monitor.store.StoredAnomaly;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * One witness for each history, level and kind, as an info metric: so an alert, whose labels must
 * not name a witness, can show its sentence and lead to it.
 *
 * <p>A slot keeps its witness for {@link #KEEP}, so that a flood does not make a new series with
 * each scrape, and loses it after {@link #LIFE}. There are at most {@link #MAX_SLOTS}. Safe for use
 * by many threads.
 */
final class WitnessSlots implements Collector {
  static final int MAX_SLOTS = 200;
  static final Duration KEEP = Duration.ofMinutes(1);
  static final Duration LIFE = Duration.ofMinutes(15);

  /** Of longer explanations the last sentences are left out; the page has them whole. */
  static final int MAX_EXPLANATION_CHARS = 400;

  private final Ticker ticker;
  private final Cache<Slot, Witness> slots;

  private record Slot(String history, String level, String anomaly) {}

  private record Witness(String id, String table, String explanation, long atNs) {}

  WitnessSlots(Ticker ticker) {
    this.ticker = ticker;
    this.slots =
        Caffeine.newBuilder()
            .maximumSize(MAX_SLOTS)
            .expireAfterWrite(LIFE)
            .ticker(ticker)
            .executor(Runnable::run)
            .build();
  }

  /** Shows a witness, unless its slot has a recent one. */
  void show(StoredAnomaly anomaly) {
    Slot slot = new Slot(anomaly.history(), anomaly.level().label(), anomaly.kind().label());
    long nowNs = ticker.read();
    Witness shown = slots.getIfPresent(slot);
    if (shown == null || nowNs - shown.atNs() >= KEEP.toNanos()) {
      slots.put(
          slot,
          new Witness(anomaly.id(), anomaly.table(), shortened(anomaly.explanation()), nowNs));
    }
  }

  @Override
  public InfoSnapshot collect() {
    slots.cleanUp();
    Map<Labels, InfoDataPointSnapshot> points = new TreeMap<>();
    slots
        .asMap()
        .forEach(
            (slot, witness) -> {
              Labels labels =
                  Labels.of(
                      MetricCatalogue.WITNESS.labelNames(),
                      new String[] {
                        slot.history(),
                        slot.level(),
                        slot.anomaly(),
                        witness.id(),
                        witness.table(),
                        witness.explanation()
                      });
              points.put(labels, InfoDataPointSnapshot.builder().labels(labels).build());
            });
    InfoSnapshot.Builder all =
        InfoSnapshot.builder()
            .name(MetricCatalogue.WITNESS.name())
            .help(MetricCatalogue.WITNESS.help());
    points.values().forEach(all::dataPoint);
    return all.build();
  }

  private static String shortened(String explanation) {
    if (explanation.length() <= MAX_EXPLANATION_CHARS) {
      return explanation;
    }
    int end = explanation.lastIndexOf(". ", MAX_EXPLANATION_CHARS - 1);
    return end > 0
        ? explanation.substring(0, end + 1)
        : explanation.substring(0, MAX_EXPLANATION_CHARS - 1) + "…";
  }
}
