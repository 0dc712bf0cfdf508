package io.isotail.ingest.capture;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Fingerprints of statements that are no longer rewritten. Thread-safe, bounded. */
final class Refusals {
  private static final int MAX_FINGERPRINTS = 10_000;

  private final Set<String> fingerprints = ConcurrentHashMap.newKeySet();

  void add(String fingerprint) {
    if (fingerprints.size() < MAX_FINGERPRINTS) {
      fingerprints.add(fingerprint);
    }
  }

  boolean contains(String fingerprint) {
    return !fingerprints.isEmpty()
        && (fingerprints.contains(fingerprint) || fingerprints.size() >= MAX_FINGERPRINTS);
  }
}
