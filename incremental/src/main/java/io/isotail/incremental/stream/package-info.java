/**
 * Causal delivery: from records in log order to transactions in an order that extends so ∪ wr.
 *
 * <p>Input: records of one stream. Output: transactions, each after its session predecessor and the
 * writers of its reads. Owner: the checker's thread. Bounds: {@code pending.transactions} wait at
 * most, each with at most {@code transaction.operations} operations.
 *
 * <p>A transaction is delivered when its session predecessor and the writers of its reads have
 * been; ready ones go in log order. A read whose writer has not arrived waits until the horizon
 * passes it: the point of the log up to which no live proxy can still add a writer (see {@link
 * io.isotail.incremental.stream.Horizon}). Aborted transactions and those of unknown outcome are
 * passive: they enter the window at once, wait for nothing and pass no clocks on. An unknown one is
 * promoted to committed when a committed transaction read a version that nobody else can have
 * written.
 */
@NullMarked
package io.isotail.incremental.stream;

import org.jspecify.annotations.NullMarked;
