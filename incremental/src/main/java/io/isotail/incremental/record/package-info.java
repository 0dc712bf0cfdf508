/**
 * The records of one history's stream: the only input of the checker.
 *
 * <p>Input: built by the wire codec or by a history-file parser. Output: consumed by the delivery
 * stage. Records are immutable and may be handed between threads. Bounds: a record holds at most
 * the operations of one transaction chunk.
 */
@NullMarked
package io.isotail.incremental.record;

import org.jspecify.annotations.NullMarked;
