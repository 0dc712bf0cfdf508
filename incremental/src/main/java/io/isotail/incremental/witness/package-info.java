/**
 * Explains a violation: the cycle, its name, one sentence, and the capsule that proves it.
 *
 * <p>The name is computed from the shape of the cycle ({@link
 * io.isotail.incremental.witness.CycleNames}). Up to {@code causal} that is the cycle of the read
 * which the commits contradict; from {@code prefix} on the shortest one in the capsule, in the most
 * plausible order of the commits.
 *
 * <p>A cycle is there in four forms, since what is known of it differs. The kernel has edges
 * between whole transactions ({@link io.isotail.incremental.witness.Step}, {@link
 * io.isotail.incremental.polygraph.Dependency}): they say what to gather. The judge has {@link
 * io.isotail.incremental.anomaly.Proof.Edge}, which says why the capsule violates the level, in
 * every order of the commits. A person is told a cycle of {@link
 * io.isotail.incremental.witness.Link}, of one order, and {@link
 * io.isotail.incremental.witness.LinkText} puts it into words. {@link
 * io.isotail.incremental.anomaly.CycleEdge} is those words, as published.
 *
 * <p>Input: an edge that closes a cycle, a bad read, or a causality cycle. Output: an {@link
 * io.isotail.incremental.anomaly.Anomaly}, or nothing when the evidence does not hold by itself.
 * Owner: the checker's thread. Bound: the search stays between the two ends of the edge in the
 * order; a capsule has at most {@link io.isotail.incremental.witness.Capsule#MAX_TRANSACTIONS}
 * transactions.
 */
@NullMarked
package io.isotail.incremental.witness;

import org.jspecify.annotations.NullMarked;
