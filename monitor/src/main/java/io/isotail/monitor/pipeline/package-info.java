/**
 * Feeds the checkers from the log and carries away what they find.
 *
 * <p>Input: the events topic, from its beginning. Output: anomalies to the anomalies topic, the
 * store and the metrics; snapshots to the status board. One thread, {@code isotail-pipeline}, owns
 * the Kafka consumer and every checker. Bounds: {@code max-histories} checkers with their windows,
 * {@code anomalies.known} ids, and the buffers of one consumer and one producer.
 */
@NullMarked
package io.isotail.monitor.pipeline;

import org.jspecify.annotations.NullMarked;
