package io.isotail.monitor.config;

import io.isotail.incremental.config.CheckerConfig;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is declared of one history.
 *
 * @param checker what its checker assumes, but for the id of the history
 * @param shedding what is done when checking falls behind
 * @param labels what its metrics and alerts are labelled with, by name
 */
public record HistoryConfig(
    CheckerConfig checker, Shedding shedding, SortedMap<String, String> labels) {

  /** Copies the map. */
  public HistoryConfig {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** The checker's configuration for live traffic of the history with this id. */
  public CheckerConfig forChecker(String history) {
    return checker.withHistory(history);
  }
}
