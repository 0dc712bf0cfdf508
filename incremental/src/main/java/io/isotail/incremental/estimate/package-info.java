/**
 * Estimates in which order the transactions of a file committed, where the file has no times.
 *
 * <p>The strong levels guess the order of versions from the order in which transactions come, and
 * search only where the guess closes a cycle. A file whose lines are in another order than the
 * commits makes nearly every guess wrong. This stage puts the transactions into an order in which
 * what they read was the last version that was written, as far as that is possible.
 *
 * <p>It is a guess like any other: the graphs verify it, and it is never a reason to pass or to
 * fail. Input: the records of a file. Output: their places in the order. Owner: the thread that
 * calls; nothing is kept. Bound: some words for each operation, and for each transaction a number
 * of steps and of clocks' entries.
 */
@NullMarked
package io.isotail.incremental.estimate;

import org.jspecify.annotations.NullMarked;
