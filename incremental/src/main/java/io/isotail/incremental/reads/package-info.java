/**
 * The five read-consistency axioms: which transaction wrote what each read returned, and whether it
 * could have been read.
 *
 * <p>Input: a transaction that is due. Output: its reads with a decided writer; bad and undecided
 * reads are removed before any edge is inferred. Owner: the checker's thread. Bound: one
 * transaction.
 */
@NullMarked
package io.isotail.incremental.reads;

import org.jspecify.annotations.NullMarked;
