package io.isotail.monitor.trial;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is done to a database while the workload runs, one fault at a time.
 *
 * @param cut whether connections of the workload are cut, as if the network had
 * @param terminate whether the server is asked to end sessions of the workload, where it can be
 * @param command what the shell runs, as to restart the server; null for nothing
 * @param every time between two faults
 */
public record Faults(boolean cut, boolean terminate, @Nullable String command, Duration every) {
  /** Nothing is done. */
  public static final Faults NONE = new Faults(false, false, null, Duration.ofSeconds(1));

  /** Whether there are any. */
  boolean any() {
    return cut || terminate || command != null;
  }
}
