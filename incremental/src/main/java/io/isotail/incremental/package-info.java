/**
 * The incremental checker of one history. {@link io.isotail.incremental.Checker} is its facade.
 *
 * <p>Input: the records of one ordered stream. Output: anomalies and verdicts. One thread owns a
 * checker; nothing in this module does I/O, reads a clock or draws a random number.
 */
@NullMarked
package io.isotail.incremental;

import org.jspecify.annotations.NullMarked;
