/**
 * Runs the levels over each delivered transaction, and hands what they find to the witness.
 *
 * <p>Input: a transaction with its reads resolved, as the last of the window. Output: what violates
 * a level goes to {@code witness}, what could not be checked to {@code verdict}. Owner: the
 * checker's thread. Bound: the window.
 */
@NullMarked
package io.isotail.incremental.check;

import org.jspecify.annotations.NullMarked;
