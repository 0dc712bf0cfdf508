package io.isotail.incremental.record;

import java.util.Map;

/**
 * A change of the checker's configuration, made part of the log so that a replay makes the same
 * decisions.
 *
 * @param settings names and values as in the configuration file, for instance {@code
 *     window.transactions}; an unknown name is counted as a bad record
 */
public record Control(Map<String, String> settings) implements StreamRecord {

  /** Copies the map. */
  public Control {
    settings = Map.copyOf(settings);
  }
}
