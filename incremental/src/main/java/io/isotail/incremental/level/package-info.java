/**
 * Isolation levels and verdicts: the vocabulary that every stage shares.
 *
 * <p>No input, no output, no state; depends on nothing.
 */
@NullMarked
package io.isotail.incremental.level;

import org.jspecify.annotations.NullMarked;
