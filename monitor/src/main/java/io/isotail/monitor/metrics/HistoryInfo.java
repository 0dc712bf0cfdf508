package io.isotail.monitor.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/**
 * One info series for each history that is known, with the labels that its settings give it: alerts
 * take them over, to be routed by them.
 *
 * <p>The labels are asked for when a scrape comes, so that changed settings show at once. Their
 * names differ from those that the monitor's metrics have; the configuration sees to it. Safe for
 * use by many threads.
 */
final class HistoryInfo implements Collector {
  private final SortedSet<String> histories = new ConcurrentSkipListSet<>();
  private volatile Function<String, Map<String, String>> labels = history -> Map.of();

  /** Labels are as this says of a history's id. */
  void labels(Function<String, Map<String, String>> of) {
    labels = of;
  }

  /** The history has a series from now on. */
  void expect(String history) {
    histories.add(history);
  }

  /** The labels that the settings of the history give it. */
  Labels of(String history) {
    Labels.Builder all = Labels.builder();
    labels.apply(history).forEach(all::label);
    return all.build();
  }

  @Override
  public InfoSnapshot collect() {
    InfoSnapshot.Builder all =
        InfoSnapshot.builder()
            .name(MetricCatalogue.HISTORY.name())
            .help(MetricCatalogue.HISTORY.help());
    for (String history : histories) {
      Labels own = Labels.of(MetricCatalogue.HISTORY.labelNames(), new String[] {history});
      all.dataPoint(InfoDataPointSnapshot.builder().labels(own.merge(of(history))).build());
    }
    return all.build();
  }
}
