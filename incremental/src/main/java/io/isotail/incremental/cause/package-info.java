/**
 * What anomalies have in common: the statements, services and tables that bring them about.
 *
 * <p>Input: each left-out thing as the witness stage sees it before any proof, a {@link
 * io.isotail.incremental.cause.Pattern}, and what the proof then told, if one was asked for.
 * Output: a {@link io.isotail.incremental.cause.CauseReport} for each cause; and whether the next
 * left-out thing of a pattern is to be proven, or only counted. Owner: the checker's thread. Bound:
 * {@link io.isotail.incremental.cause.CauseLedger#MAX_CAUSES} causes and {@link
 * io.isotail.incremental.cause.CauseLedger#MAX_PATTERNS} patterns a history; of either the one that
 * was seen least lately is forgotten first.
 */
@NullMarked
package io.isotail.incremental.cause;

import org.jspecify.annotations.NullMarked;
