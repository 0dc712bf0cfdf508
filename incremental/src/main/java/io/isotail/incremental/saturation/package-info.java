/**
 * The weak levels: a commit relation, saturated with the edges that reads imply, and kept acyclic.
 *
 * <p>Input: a delivered transaction with its reads. Output: its vector clock, the inferred edges
 * ({@link io.isotail.incremental.saturation.EdgeSink}), and for each edge whether it closes a cycle
 * and at which level. Owner: the checker's thread. Bound: the clocks, which are let go beyond a
 * number, and the edges between transactions in the window.
 */
@NullMarked
package io.isotail.incremental.saturation;

import org.jspecify.annotations.NullMarked;
