/**
 * What is said of each level: pass, fail, undecided or not-checked, since when, and why.
 *
 * <p>Input: violations, doubts and delivered transactions, as the other stages find them. Output: a
 * {@link io.isotail.incremental.verdict.LevelReport} for each level. Owner: the checker's thread.
 * Bound: a few numbers for each level and each reason.
 */
@NullMarked
package io.isotail.incremental.verdict;

import org.jspecify.annotations.NullMarked;
