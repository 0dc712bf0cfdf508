/**
 * Programs to explore whose transactions are Java code.
 *
 * <p>Input: closures over a {@link io.isotail.incremental.explore.code.Transaction}. Output: a
 * {@link io.isotail.incremental.explore.Program}. A closure is run again from its beginning for
 * each read, with what it read before; so it must do the same each time. Whether it does is tried
 * by running it again where it may come out another way ({@link
 * io.isotail.incremental.explore.code.Reruns}).
 */
@NullMarked
package io.isotail.incremental.explore.code;

import org.jspecify.annotations.NullMarked;
