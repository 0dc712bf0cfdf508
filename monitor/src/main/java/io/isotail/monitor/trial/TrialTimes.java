package io.isotail.monitor.trial;

import org.jspecify.annotations.Nullable;

/**
 * What a person waited for, in s from the workload's beginning.
 *
 * @param firstAnomaly until the first anomaly was told; null if there was none
 * @param firstCause until its cause was on the page; null if there was none
 * @param greatestLag how far checking was behind at most; while that was unknown, as far as since
 *     it was known last
 * @param laterLag the same from {@link #WARM} on; null if the workload has not run so long
 */
public record TrialTimes(
    @Nullable Double firstAnomaly,
    @Nullable Double firstCause,
    double greatestLag,
    @Nullable Double laterLag) {
  /** Before anything happened. */
  static final TrialTimes NONE = new TrialTimes(null, null, 0, null);

  /** From when on the code of a new process is no longer new to it, in s. */
  static final int WARM = 10;

  TrialTimes withFirstAnomaly(double now) {
    return firstAnomaly != null ? this : new TrialTimes(now, firstCause, greatestLag, laterLag);
  }

  TrialTimes withFirstCause(double now) {
    return firstCause != null ? this : new TrialTimes(firstAnomaly, now, greatestLag, laterLag);
  }

  TrialTimes withLag(double lag, double now) {
    double before = laterLag == null ? 0 : laterLag;
    return new TrialTimes(
        firstAnomaly,
        firstCause,
        Math.max(greatestLag, lag),
        now < WARM ? laterLag : (Double) Math.max(before, lag));
  }
}
