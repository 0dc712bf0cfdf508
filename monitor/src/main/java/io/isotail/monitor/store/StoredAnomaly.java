package io.isotail.monitor.store;

import io.isotail.incremental.anomaly.Anomaly;

/**
 * An anomaly with what the monitor knows about it.
 *
 * @param anomaly what the checker found
 * @param foundAtMs log append time of the record that completed it, in ms since the epoch
 * @param occurrences how often it was observed, at least 1
 */
public record StoredAnomaly(Anomaly anomaly, long foundAtMs, long occurrences) {}
