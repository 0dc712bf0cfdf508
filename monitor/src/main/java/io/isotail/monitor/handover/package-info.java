/**
 * Takes partitions over from the consumer group, commits what is checked, and hands them back.
 *
 * <p>Input: what the group gives and takes, and offsets with what they say of the saved state.
 * Output: Kafka transactions with anomalies, states and offsets. Owned by the pipeline's thread.
 * Bounds: a partition that was lost is kept for 30 s in case it comes back; one transaction at a
 * time, and beside it one of a state that is being sent, which is kept in memory until then; the
 * buffers of three consumers and four producers.
 */
@NullMarked
package io.isotail.monitor.handover;

import org.jspecify.annotations.NullMarked;
