/**
 * What every stage knows of the stream: transactions, sessions, the window, and the writers of
 * versions.
 *
 * <p>Input: filled in by the stages after it. Output: read by them. Owner: the checker's thread; no
 * object of this package leaves the module. Bounds: transactions by the window; everything else is
 * proportional to them.
 *
 * <p>A field of a transaction names the stage that writes it. What one stage alone needs of a
 * transaction is a {@link io.isotail.incremental.window.StagePart}: its type, its fields and its
 * saved form belong to the package of that stage.
 */
@NullMarked
package io.isotail.incremental.window;

import org.jspecify.annotations.NullMarked;
