package io.isotail.monitor.pipeline;

import io.isotail.incremental.anomaly.Anomaly;

/**
 * An anomaly that is to be published.
 *
 * @param anomaly what the checker found
 * @param appendTimeMs log append time of the record that completed it, in ms
 */
record Finding(Anomaly anomaly, long appendTimeMs) {}
