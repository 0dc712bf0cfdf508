package io.isotail.monitor.status;

import io.isotail.incremental.level.Verdict;
import java.util.List;

/**
 * What was said of a history at the promised level over time, by the time of the log. It begins
 * where this instance began to check the history.
 *
 * @param changes oldest first; each holds until the next one
 * @param untilMs append time up to which the history is checked, in ms; 0 before the first record
 */
public record VerdictTrack(List<Change> changes, long untilMs) {

  /** Copies the list. */
  public VerdictTrack {
    changes = List.copyOf(changes);
  }

  /**
   * Another verdict.
   *
   * @param atMs append time of the first record that it is said of, in ms
   */
  public record Change(long atMs, Verdict verdict) {}
}
