/**
 * Whether a program's assertions hold at a level, and a history that shows where they do not.
 *
 * <p>Input: a {@link io.isotail.incremental.explore.Program}, a level, and what says when to stop.
 * Output: an {@link io.isotail.incremental.explore.verdict.AssertionVerdict}; and of a history,
 * lines for people and records for the checker. Thread: the caller's. Bound: one history is kept
 * for each verdict.
 */
@NullMarked
package io.isotail.incremental.explore.verdict;

import org.jspecify.annotations.NullMarked;
