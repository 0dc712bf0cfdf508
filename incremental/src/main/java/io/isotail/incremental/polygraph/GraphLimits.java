package io.isotail.incremental.polygraph;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;

/**
 * What a graph takes for granted of its history, and its bounds.
 *
 * @param uncertaintyNs see {@link CheckerConfig#clockUncertaintyNs}
 * @param listReads whether list reads show an order: only where no two writes install the same
 *     version
 * @param mostRetired transactions that are kept at most when they have left the window
 * @param copied see {@link Tuning#copied}
 * @param mostPointsBack ends of transactions that may be later than one that is added; beyond it
 *     that one is not ordered by time
 */
public record GraphLimits(
    long uncertaintyNs, boolean listReads, int mostRetired, int copied, int mostPointsBack) {
  private static final int MOST_POINTS_BACK_LIVE = 4_096;

  /** Those that follow from a configuration. */
  public static GraphLimits of(CheckerConfig config, Tuning tuning) {
    return new GraphLimits(
        config.clockUncertaintyNs(),
        config.uniqueVersions(),
        Math.min(config.retiredVersions(), config.windowTransactions()),
        tuning.copied(),
        config.live() ? MOST_POINTS_BACK_LIVE : Integer.MAX_VALUE);
  }
}
