/**
 * Takes partitions over from the consumer group, commits what is checked, and hands them back.
 *
 * <p>Input: what the group gives and takes, and offsets with what they say of the saved state.
 * Output: Kafka transactions with anomalies, states and offsets. Owned by the pipeline's thread.
 * Bounds: a partition that was lost is kept for 30 s in case it comes back; one transaction at a
 * time; the buffers of three consumers and three producers.
 */
@NullMarked
package io.isotail.monitor.handover;

import org.jspecify.annotations.NullMarked;
