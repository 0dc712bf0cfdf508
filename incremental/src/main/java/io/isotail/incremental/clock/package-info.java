/**
 * Vector clocks: which transactions happen before which.
 *
 * <p>Input: a transaction whose session predecessor and writers are delivered. Output: its clock.
 * Owner: the checker's thread. Bound: one entry for each slot that the transaction has seen.
 */
@NullMarked
package io.isotail.incremental.clock;

import org.jspecify.annotations.NullMarked;
