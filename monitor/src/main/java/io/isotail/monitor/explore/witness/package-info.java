/**
 * What isolation levels say of an anomaly that happened: its transactions as a program, the levels
 * that allow what they read, and whether it is enough to raise one of them.
 *
 * <p>Input: an anomaly with its capsule, from a file or a monitor. Output: a program in the
 * language of {@link io.isotail.incremental.explore.language}, and answers for people and for
 * programs. Thread: the caller's. Bound: the transactions of a program ({@link
 * io.isotail.incremental.explore.Program#MAX_TRANSACTIONS}), and a limit of time for each
 * exploration.
 *
 * <p>The capsule is read as the judge reads it. What its operations do not tell, such as rows that
 * a condition looked at and that are no part of the proof, is not in the program, and said to be
 * missing.
 */
@NullMarked
package io.isotail.monitor.explore.witness;

import org.jspecify.annotations.NullMarked;
