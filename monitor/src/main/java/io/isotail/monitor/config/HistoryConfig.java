package io.isotail.monitor.config;

import io.isotail.incremental.config.CheckerConfig;

/**
 * What is declared of one history.
 *
 * @param checker what its checker assumes, but for the id of the history
 * @param shedding what is done when checking falls behind
 */
public record HistoryConfig(CheckerConfig checker, Shedding shedding) {

  /** The checker's configuration for live traffic of the history with this id. */
  public CheckerConfig forChecker(String history) {
    return checker.withHistory(history);
  }
}
