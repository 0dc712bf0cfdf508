/**
 * Checks the partitions of the events topic that this instance owns.
 *
 * <p>Input: records of a partition, or the state that was saved of it. Output: findings that are to
 * be published, chunks of state, where each history stands, and requests to check less. Owned by
 * the pipeline's thread; threads of the common pool help it to save a state, and the thread that
 * sends the state writes it. Bounds: {@code max-histories} checkers with their windows, one saved
 * state at a time. Findings wait for their commit with up to 900 kB each, as many as the records
 * complete that were polled since the last one; while the broker is absent nothing is polled.
 */
@NullMarked
package io.isotail.monitor.partition;

import org.jspecify.annotations.NullMarked;
