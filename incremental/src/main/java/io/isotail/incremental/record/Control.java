package io.isotail.incremental.record;

import java.util.Map;

/**
 * A change of the checker's configuration, made part of the log so that a replay makes the same
 * decisions.
 *
 * @param settings names and values as in the configuration file, for instance {@link #WINDOW} and
 *     {@link #LEVEL}, and {@link #NOTE}; an unknown name, or a value that makes no sense, is
 *     counted as a bad record
 */
public record Control(Map<String, String> settings) implements StreamRecord {
  /** Delivered transactions kept in the window. */
  public static final String WINDOW = "window.transactions";

  /**
   * Strongest level to check from here on: {@code causal} or a stronger one, at most the one that
   * the checker is configured for. What lies above it is undecided until it is raised again.
   */
  public static final String LEVEL = "level";

  /** Changes nothing: words that are marked where the record stands, such as those of a deploy. */
  public static final String NOTE = "note";

  /** Copies the map. */
  public Control {
    settings = Map.copyOf(settings);
  }
}
