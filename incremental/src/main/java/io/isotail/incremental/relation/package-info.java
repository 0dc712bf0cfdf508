/**
 * Infers the commit-order edges that a delivered transaction's reads imply at each level.
 *
 * <p>Input: a transaction with decided reads and a clock. Output: edges, to an {@link
 * io.isotail.incremental.relation.EdgeSink}. Owner: the checker's thread. Bound: one transaction
 * and the writers of the keys that it read.
 */
@NullMarked
package io.isotail.incremental.relation;

import org.jspecify.annotations.NullMarked;
