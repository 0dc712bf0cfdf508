/**
 * Checks the partitions of the events topic that this instance owns.
 *
 * <p>Input: records of a partition, or the state that was saved of it. Output: findings that are to
 * be published, chunks of state, where each history stands, and requests to check less. Owned by
 * the pipeline's thread; threads of the common pool help it to save a state. Bounds: {@code
 * max-histories} checkers with their windows, one saved state at a time.
 */
@NullMarked
package io.isotail.monitor.partition;

import org.jspecify.annotations.NullMarked;
