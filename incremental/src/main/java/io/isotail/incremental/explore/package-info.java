/**
 * Every history that an isolation level allows a bounded program, each exactly once, before it
 * happens in production.
 *
 * <p>Input: a {@link io.isotail.incremental.explore.Program}, a level and bounds. Output: each
 * history of the program at that level, told to a visitor, and counts. Thread: the caller's; an
 * exploration shares nothing with another one. Bound: the memory grows with the length of the
 * program and not with the number of its histories ([1] Theorem 5.1), apart from what {@link
 * io.isotail.incremental.explore.Steps} remembers of runs of the program, which is bounded by
 * {@link io.isotail.incremental.explore.MemoryBounds}. An exploration that ends at a {@link
 * io.isotail.incremental.explore.Limit} is not exhausted.
 *
 * <p>The levels are those of {@link io.isotail.incremental.level.IsolationLevel}. Here they are
 * asked of prefixes of at most 31 transactions, many times a history, with sets of transactions as
 * the bits of a number; the checker's own structures are made for long streams. Tests hold that
 * both say the same.
 *
 * <p>[1] Bouajjani, Enea, Román-Calvo: Dynamic Partial Order Reduction for Checking Correctness
 * against Transaction Isolation Levels, PLDI 2023.
 */
@NullMarked
package io.isotail.incremental.explore;

import org.jspecify.annotations.NullMarked;
