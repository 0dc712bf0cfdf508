/**
 * Histories made to measure: a simulated store of a chosen isolation level, its clients, and
 * anomalies put in on purpose.
 *
 * <p>Input: a configuration and a seed. Output: {@link
 * io.isotail.incremental.record.TransactionRecord}s in commit order, the same for the same seed on
 * any machine. No I/O, no clock, no other source of randomness. Owner: the calling thread. Bound:
 * the store, in proportion to the keys; nothing grows with the length of the history.
 */
@NullMarked
package io.isotail.ingest.generate;

import org.jspecify.annotations.NullMarked;
