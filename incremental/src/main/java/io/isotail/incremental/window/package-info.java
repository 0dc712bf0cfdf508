/**
 * What the checker remembers: transactions, versions and their writers, and effects that may
 * explain what has no known writer.
 *
 * <p>Input: filled in by the stages after it. Output: read by them. Owner: the checker's thread; no
 * object of this package leaves the module. Bounds: transactions by the window, truncated versions
 * by {@code window.retired-versions}; everything else is proportional to those two.
 *
 * <p>Fields are public because the stages are one machine cut into rooms; each field names the
 * stage that writes it.
 */
@NullMarked
package io.isotail.incremental.window;

import org.jspecify.annotations.NullMarked;
