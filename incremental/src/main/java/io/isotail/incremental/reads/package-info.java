/**
 * Which transaction wrote what each read returned, and whether it could have been read: the five
 * read-consistency axioms, the versions with their writers, and the effects that nobody saw, which
 * may explain what has no known writer.
 *
 * <p>Input: every transaction that arrives, for its writes; one that is due, for its reads. Output:
 * its reads with a decided writer; bad and undecided reads are removed before any edge is inferred.
 * Owner: the checker's thread. Bounds: versions of the window, and {@code window.retired-versions}
 * of transactions that have left it.
 */
@NullMarked
package io.isotail.incremental.reads;

import org.jspecify.annotations.NullMarked;
