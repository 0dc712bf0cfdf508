/**
 * Writes and reads the monitor's own records: anomalies, saved states, and control records in the
 * log of a history.
 *
 * <p>Input: what checkers found, chunks of their states, what any instance has published. Output:
 * records of the anomalies, state and events topics; the store and the metrics, filled from the
 * anomalies topic. Owned by the pipeline's thread. Bounds: a record is at most 900 kB; the feed
 * begins with as many anomalies as the store keeps.
 */
@NullMarked
package io.isotail.monitor.publish;

import org.jspecify.annotations.NullMarked;
