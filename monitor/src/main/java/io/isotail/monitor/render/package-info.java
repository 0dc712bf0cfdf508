/**
 * Renders anomalies for machines and people: JSON and DOT.
 *
 * <p>Input: anomalies. Output: text, or trees for a JSON writer. No state, no thread of its own.
 * Bounds: the size of one witness.
 */
@NullMarked
package io.isotail.monitor.render;

import org.jspecify.annotations.NullMarked;
