/**
 * Reaches the broker: clients with the monitor's settings, the topics and what they must be like,
 * and whether the broker answers.
 *
 * <p>Input: the {@code kafka} settings. Output: Kafka's own clients, partitions, and the ends of
 * the log. Owned by the thread that asks for a client; the probe by the lag's. Bounds: a request is
 * given up after 5 s; one probe is under way at a time.
 */
@NullMarked
package io.isotail.monitor.kafka;

import org.jspecify.annotations.NullMarked;
