package io.isotail.monitor.trial;

import org.jspecify.annotations.Nullable;

/**
 * What a person waited for, in s from the workload's beginning.
 *
 * @param firstAnomaly until the first anomaly was told; null if there was none
 * @param firstCause until its cause was on the page; null if there was none
 * @param greatestLag how far checking was behind at most; while that was unknown, as far as since
 *     it was known last
 */
public record TrialTimes(
    @Nullable Double firstAnomaly, @Nullable Double firstCause, double greatestLag) {
  /** Before anything happened. */
  static final TrialTimes NONE = new TrialTimes(null, null, 0);
}
