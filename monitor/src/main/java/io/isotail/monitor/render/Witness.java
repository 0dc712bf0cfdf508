package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * An anomaly with what is known beside it, to be shown to people.
 *
 * @param anomaly of one that was read back from its document the proof is not kept
 * @param occurrences how often it was observed
 * @param loggedAt when the log had it, in ISO 8601; null if that is unknown
 * @param promise the one level that the history is held to; null if that is unknown, or if each
 *     transaction is held to the level that it ran at
 */
public record Witness(
    Anomaly anomaly,
    long occurrences,
    @Nullable String loggedAt,
    @Nullable IsolationLevel promise) {

  /** With the level that the history was promised. */
  public Witness withPromise(@Nullable IsolationLevel promised) {
    return new Witness(anomaly, occurrences, loggedAt, promised);
  }
}
