/**
 * Feeds the checkers from the log and carries away what they find.
 *
 * <p>Input: the partitions of the events topic that the consumer group gives to this instance, from
 * the saved states on; what any instance has published; and where the others stand. Output:
 * anomalies to the anomalies topic and states to the state topic, in transactions with the offsets;
 * where this instance stands to the status topic; the store, the metrics, snapshots to the status
 * board. One thread, {@code isotail-pipeline}, owns the Kafka clients and every checker; threads of
 * the common pool help it to save a state. Bounds: {@code max-histories} checkers with their
 * windows, one saved state at a time, the reports of 100 instances, and the buffers of three
 * consumers and three producers.
 */
@NullMarked
package io.isotail.monitor.pipeline;

import org.jspecify.annotations.NullMarked;
