package io.isotail.junit;

import io.isotail.incremental.CheckerReport;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the check of a level stood at a moment.
 *
 * @param violations of each cause so far
 * @param proven how many anomalies had been proven
 * @param strange what threads have ended whose test is not known
 * @param report all else; null if there was nothing
 */
record Mark(
    Map<String, Long> violations, long proven, long strange, @Nullable CheckerReport report) {
  Mark {
    violations = Map.copyOf(violations);
  }

  /** Of a history of which nothing was checked yet. */
  static Mark ofNothing(long strange) {
    return new Mark(Map.of(), 0, strange, null);
  }
}
