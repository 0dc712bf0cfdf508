package io.isotail.junit;

import io.isotail.incremental.CheckerReport;
import java.util.Map;

/**
 * Where the check of a level stood at a moment.
 *
 * @param violations of each cause so far
 * @param proven how many anomalies had been proven
 * @param passed connections of which nothing is captured
 * @param report all else
 */
record Mark(Map<String, Long> violations, long proven, long passed, CheckerReport report) {
  Mark {
    violations = Map.copyOf(violations);
  }
}
