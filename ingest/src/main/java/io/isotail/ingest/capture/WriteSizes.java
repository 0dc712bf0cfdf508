package io.isotail.ingest.capture;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many rows statements write whose text does not say it, by fingerprint. Of one that is known
 * to write few the rows are asked for; of one that is not known yet where they can be taken in
 * portions: a driver keeps in memory what it does not take so. Thread-safe, bounded.
 */
final class WriteSizes {
  private static final int MAX_FINGERPRINTS = 10_000;
  private static final long FEW_ROWS = 1_000;

  private final Map<String, Boolean> few = new ConcurrentHashMap<>();

  /** A statement has written so many rows. */
  void note(String fingerprint, long rows) {
    if (few.size() >= MAX_FINGERPRINTS && !few.containsKey(fingerprint)) {
      return;
    }
    if (rows > FEW_ROWS) {
      few.put(fingerprint, false);
    } else if (rows >= 0) {
      few.putIfAbsent(fingerprint, true);
    }
  }

  /** Whether nothing is known of it. */
  boolean isUnknown(String fingerprint) {
    return few.size() < MAX_FINGERPRINTS && !few.containsKey(fingerprint);
  }

  /** Whether it is known to write few. */
  boolean areFew(String fingerprint) {
    return few.getOrDefault(fingerprint, false);
  }

  /** Whether it is known to write many. */
  boolean areMany(String fingerprint) {
    return !few.getOrDefault(fingerprint, true);
  }
}
