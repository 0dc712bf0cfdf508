package io.isotail.monitor.pipeline;

import io.isotail.incremental.anomaly.Anomaly;

/**
 * An anomaly that is to be published.
 *
 * @param anomaly what the checker found
 * @param appendTimeMs log append time of the record that completed it, in ms
 * @param clockUncertaintyNs how far clocks were taken to be apart, in ns
 */
record Finding(Anomaly anomaly, long appendTimeMs, long clockUncertaintyNs) {}
