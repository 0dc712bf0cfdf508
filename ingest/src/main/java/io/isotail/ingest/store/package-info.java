/**
 * What a store without SQL has to bring so that a workload can run transactions on it: registers
 * that are read and written by their number, in transactions.
 *
 * <p>Input: a URL of the user's, whose scheme finds the {@link
 * io.isotail.ingest.store.StoreProvider}. Output: what the store answers. isotail records what was
 * asked and answered by itself; an implementation records nothing. Owning threads: a session
 * belongs to one thread, a store to many. Bounds: one session for each thread of the workload; a
 * transaction has no more operations than the workload says.
 */
@NullMarked
package io.isotail.ingest.store;

import org.jspecify.annotations.NullMarked;
