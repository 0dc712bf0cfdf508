/**
 * The judge: decides, straight from the definitions, whether a handful of transactions violate an
 * isolation level by themselves.
 *
 * <p>It shares nothing with the kernel on purpose: no order, relation, graph, window or clock of
 * the kernel is imported, and a test holds it to that. It resolves the writers of the reads itself
 * ({@link io.isotail.incremental.judge.Facts}). Up to {@code causal} it computes the relation of
 * the level by transitive closure ({@link io.isotail.incremental.judge.WeakAxioms}). From {@code
 * prefix} on it searches a proof or a schedule ({@link io.isotail.incremental.judge.CaseSearch}),
 * and believes neither before it has looked up every edge of the proof ({@link
 * io.isotail.incremental.judge.ProofCheck}) or has run the schedule ({@link
 * io.isotail.incremental.judge.Schedule}). A few transactions can also be judged by a second
 * opinion, which reads the capsule by itself and tries every schedule ({@link
 * io.isotail.incremental.judge.second}).
 *
 * <p>Input: the transactions of a capsule, read as an open history: a read whose writer is not
 * among them is ignored. Output: violated, with a proof; accepted; or not confirmed. No state is
 * kept between two questions; any thread may ask, one judge each. Bounds: a proof has at most
 * {@link io.isotail.incremental.judge.Judge#MOST_LEAVES} cycles, a search a bounded number of
 * steps.
 */
@NullMarked
package io.isotail.incremental.judge;

import org.jspecify.annotations.NullMarked;
